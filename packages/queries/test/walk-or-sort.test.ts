import { expect, it } from 'vitest';
import { isFasterSorted } from '../src/lists/walk-or-sort.ts';

const MILLION = 1_000_000;

it.each([
  ['few rows, wherever the page', { total: 3_000, of: MILLION, before: 0 }, true],
  ['the first page of a hundredth', { total: 11_000, of: MILLION, before: 0 }, false],
  ['the middle of a hundredth', { total: 11_000, of: MILLION, before: 5_500 }, true],
  ['the last page of a hundredth', { total: 11_000, of: MILLION, before: 10_950 }, false],
  ['the middle of half of all', { total: 500_000, of: MILLION, before: 250_000 }, true],
  ['a page of half of all that is far from the middle', { total: 500_000, of: MILLION, before: 100_000 }, false],
  ['a third of the way into nearly all', { total: 990_000, of: MILLION, before: 330_000 }, false],
  ['rows whose share is not known', { total: 11_000, of: undefined, before: 5_500 }, false],
])('sorts %s: %j: %s', (_, { total, of, before }, expected) => {
  const place = { before, count: 50, after: total - before - 50 };
  expect(isFasterSorted({ filtered: true, unfiltered: of }, place, total)).toBe(expected);
});

it('walks the index of a list without a filter, however long it is', () => {
  const place = { before: 1_000, count: 50, after: 950 };
  expect(isFasterSorted({ filtered: false, unfiltered: undefined }, place, 2_000)).toBe(false);
});

it.each([
  [80_000, true],
  [600_000, true],
  [900_000, false],
])('sorts %i of a million rows that stand together: %s', (total, expected) => {
  const place = { before: 0, count: 50, after: total - 50 };
  expect(isFasterSorted({ filtered: true, unfiltered: MILLION, clustered: true }, place, total)).toBe(expected);
});

it.each([
  ['the first page of a hundredth', 11_000, true],
  ['the first page of a tenth', 100_000, false],
])('sorts %s of a million rows that one index has in full: %i: %s', (_, total, expected) => {
  const place = { before: 0, count: 50, after: total - 50 };
  expect(isFasterSorted({ filtered: true, unfiltered: MILLION, covered: true }, place, total)).toBe(expected);
});
