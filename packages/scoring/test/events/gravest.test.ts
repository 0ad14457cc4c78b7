import { gravest, holding, type Judgement, over } from '@dmarc-ledger/scoring';
import { expect, it } from 'vitest';

const about = { domain: 'example.com', parts: ['example.com', 'postman'] };
const failing = holding('new_failing_source', about);
const broken = holding('new_failing_source', { ...about, severity: 'critical' });
const ended = over('new_failing_source', 'example.com', 'postman');
const other = holding('new_failing_source', { ...about, parts: ['example.com', 'newsman'] });

it.each<[string, Judgement[], Judgement[]]>([
  ['the broken address of a sender after one that fails now and then', [failing, broken], [broken]],
  ['the broken address of a sender before one that fails now and then', [broken, failing], [broken]],
  ['the first of two that are as grave', [failing, { ...failing, message: 'later' }], [failing]],
  ['what holds after what is over', [ended, failing], [failing]],
  ['what holds before what is over', [failing, ended], [failing]],
  ['each condition for itself', [other, broken], [other, broken]],
])('one event tells of %s', (_, judgements, expected) => {
  expect(gravest(judgements)).toEqual(expected);
});
