import { expect, it } from 'vitest';
import { shorten } from '../src/shorten.ts';

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: 'x'.repeat(40) }));
const days = (count: number) => Array.from({ length: count }, (_, i) => ({ date: `2026-01-${10 + i}`, messages: i }));

it('leaves figures and verdicts whole, and shortens the longest lists', () => {
  const answer = { records: rows(80), few: rows(3), verdict: 'clean' };
  const short = shorten(JSON.stringify(answer), 1_500);
  expect(JSON.parse(short!.text)).toEqual({ ...answer, records: rows(20) });
  expect(short!.cuts).toEqual(['records has the first 20 of 80']);
});

it('keeps the last days', () => {
  const short = shorten(JSON.stringify({ timeline: days(16) }), 200);
  expect(JSON.parse(short!.text)).toEqual({ timeline: days(16).slice(-4) });
  expect(short!.cuts).toEqual(['timeline has the last 4 of 16']);
});

it('shortens lists inside of rows before it leaves rows out', () => {
  const answer = { stages: [{ senders: rows(40) }, { senders: rows(2) }] };
  const short = shorten(JSON.stringify(answer), 1_000);
  expect(JSON.parse(short!.text)).toEqual({ stages: [{ senders: rows(10) }, { senders: rows(2) }] });
  expect(short!.cuts).toEqual(['stages[0].senders has the first 10 of 40']);
});

it.each([
  ['one long text', JSON.stringify({ text: 'x'.repeat(500) })],
  ['half an answer', '{"records":[1,2,3'],
])('cannot shorten %s', (_, answer) => {
  expect(shorten(answer, 100)).toBeUndefined();
});
