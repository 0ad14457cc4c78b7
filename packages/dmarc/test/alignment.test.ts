import { describe, expect, it } from 'vitest';
import { alignedOutcomes, alignRecord, isAligned } from '../src/index.ts';
import { policy, record } from './records.ts';

describe('a domain is aligned with the From domain', () => {
  it.each([
    ['A1', 'example.com', 'example.com', 's', {}, true],
    ['A2', 'mail.example.com', 'example.com', 'r', {}, true],
    ['A3', 'mail.example.com', 'example.com', 's', {}, false],
    ['A4', 'a.example.co.uk', 'b.example.co.uk', 'r', {}, true],
    ['A5', 'example.co.uk', 'other.co.uk', 'r', {}, false],
    ['A6', 'EXAMPLE.com.', 'example.COM', 's', {}, true],
    ['A7', 'xn--bcher-kva.example', 'bücher.example', 's', {}, true],
    ['A8', 'evilexample.com', 'example.com', 'r', {}, false],
    ['A9', '', 'example.com', 'r', {}, false],
    ['A10', 'alice.github.io', 'bob.github.io', 'r', { discoveryMethod: 'psl' }, false],
    ['A11', 'alice.github.io', 'bob.github.io', 'r', { discoveryMethod: 'treewalk', domain: 'github.io' }, true],
    ['A12', 'mega.bank.example', 'giant.bank.example', 'r', { psd: 'y', domain: 'bank.example' }, false],
    ['A13', 'mail.giant.bank.example', 'giant.bank.example', 'r', { psd: 'y', domain: 'bank.example' }, true],
    ['a path', 'example.com/x', 'example.com', 'r', {}, false],
    ['a fragment', 'mail.example.com#x', 'example.com', 'r', {}, false],
    ['an address', 'a@example.com', 'example.com', 's', {}, false],
    ['no name at all, twice', 'exa mple.com', 'exa mple.com', 's', {}, false],
    ['placeholder', 'not.evaluated', 'not.evaluated', 'r', {}, false],
    ['kobe, below a wildcard suffix', 'a.b.c.kobe.jp', 'b.c.kobe.jp', 'r', {}, true],
    ['kobe, an exception of it', 'www.city.kobe.jp', 'city.kobe.jp', 'r', {}, true],
    ['a suffix stands for itself', 'com', 'example.com', 'r', {}, false],
  ] as const)('%s: %s with %s, mode %s', (_, domain, from, mode, said, expected) => {
    expect(isAligned({ authenticated: domain, from }, mode, policy(said))).toBe(expected);
  });
});

it('gives one flag a result, in the reporter’s order, whatever the results are', () => {
  const given = record({
    dkim: [
      ['other.example', 'pass'],
      ['mail.example.com', 'fail'],
    ],
    spf: [['bounce.example.com', 'softfail']],
  });
  expect(alignRecord(given, policy())).toEqual({ dkim: [false, true], spf: [true] });
});

it('leaves the flags out where the report has no results', () => {
  expect(alignRecord(record(), policy())).toEqual({ dkim: null, spf: null });
});

it.each([
  ['example.com', false],
  [null, false],
  ['', true],
])('counts a HELO result only for the null reverse-path (envelope_from %j)', (envelopeFrom, flag) => {
  const given = record({ spf: [['example.com', 'pass', 'helo']], envelopeFrom });
  expect(alignRecord(given, policy()).spf).toEqual([flag]);
});

it('finds the outcome of each mechanism in its aligned passes', () => {
  const given = record({
    dkim: [
      ['evil.example', 'pass'],
      ['example.com', 'fail'],
    ],
    spf: [['example.com', 'pass']],
  });
  expect(alignedOutcomes(given.authResults, alignRecord(given, policy()))).toEqual({ dkim: 'fail', spf: 'pass' });
});
