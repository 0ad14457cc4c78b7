import { expect, it } from 'vitest';
import { formatsOf } from '../src/page/formats.ts';

it.each([
  ['en-GB', '1,234,567', '49.3 %', '23 Nov 2026', '23 Nov 2026, 02:01 UTC'],
  ['de-DE,de;q=0.9', '1.234.567', '49,3 %', '23. Nov. 2026', '23. Nov. 2026, 02:01 UTC'],
])('writes numbers, days and instants as %s does', (language, count, percent, day, instant) => {
  const formats = formatsOf(language);
  expect(formats.count(1_234_567)).toBe(count);
  expect(formats.percent(49.26)).toBe(percent);
  expect(formats.day('2026-11-23')).toBe(day);
  expect(formats.instant('2026-11-23T02:01:59Z')).toBe(instant);
});

it.each([
  [0, '0 addresses'],
  [1, '1 address'],
  [2_000, '2,000 addresses'],
])('has the word that fits %d', (value, text) => {
  expect(formatsOf('en-GB').counted(value, 'address', 'addresses')).toBe(text);
});

it.each([
  [100, '100 %'],
  [99.97, '99.9 %'],
  [0.02, '0.1 %'],
  [0, '0 %'],
])('never rounds %d to all or nothing', (value, text) => {
  expect(formatsOf('en-GB').percent(value)).toBe(text);
});

it.each([undefined, '', '*', '../../etc', 'x'.repeat(5_000), 'de\u0000', 'zz-ZZ-ZZ-ZZ-ZZ-ZZ'])(
  'falls back to English for the language %j',
  (language) => {
    expect(formatsOf(language).locale).toBe('en-GB');
  },
);

it.each([
  [600_000_000, '600m'],
  [1_500_000, '1.5m'],
  [15_000, '15k'],
  [2_500, '2.5k'],
  [0, '0'],
])('writes %d in few characters as %s', (value, text) => {
  expect(formatsOf('en-GB').short(value)).toBe(text);
});
