import { expect, it } from 'vitest';
import { dayBars, sumParts } from '../src/charts/day-bars.ts';

const mail = { messages: 10, compliant: 5, forwarded: 2, suspicious: 1 };
const parts = { passed: 5, likely_forwarded: 2, needs_review: 2, suspicious: 1 };

it('has a bar for each day of the window, today last, and empty ones for days without mail', () => {
  expect(dayBars([{ day: '2026-11-22', ...mail }], '2026-11-23', 3)).toEqual([
    { day: '2026-11-21', messages: 0, parts: {} },
    { day: '2026-11-22', messages: 10, parts },
    { day: '2026-11-23', messages: 0, parts: {} },
  ]);
});

it('has what failed in one part where its classes are not known', () => {
  const [bar] = dayBars([{ day: '2026-11-23', messages: 10, compliant: 7 }], '2026-11-23', 1);
  expect(bar?.parts).toEqual({ passed: 7, failed: 3 });
});

it('leaves days outside the window out', () => {
  expect(dayBars([{ day: '2026-10-01', ...mail }], '2026-11-23', 1)).toEqual([
    { day: '2026-11-23', messages: 0, parts: {} },
  ]);
});

it('sums up the parts that bars have, from the bottom up', () => {
  const sums = [
    { day: '2026-11-22', messages: 4, compliant: 1, forwarded: 0, suspicious: 3 },
    { day: '2026-11-23', messages: 5, compliant: 2, forwarded: 0, suspicious: 3 },
  ];
  expect(sumParts(dayBars(sums, '2026-11-23', 2))).toEqual([
    { part: 'passed', messages: 3 },
    { part: 'suspicious', messages: 6 },
  ]);
});
