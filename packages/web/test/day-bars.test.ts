import { expect, it } from 'vitest';
import { dayBars } from '../src/charts/day-bars.ts';

it('has a bar for each day of the window, today last, and empty ones for days without mail', () => {
  const sums = [{ day: '2026-11-22', messages: 10, compliant: 7, forwarded: 2 }];
  expect(dayBars(sums, '2026-11-23', 3)).toEqual([
    { day: '2026-11-21', messages: 0, passed: 0, forwarded: 0 },
    { day: '2026-11-22', messages: 10, passed: 7, forwarded: 2 },
    { day: '2026-11-23', messages: 0, passed: 0, forwarded: 0 },
  ]);
});

it('leaves days outside the window out', () => {
  const sums = [{ day: '2026-10-01', messages: 10, compliant: 7, forwarded: 2 }];
  expect(dayBars(sums, '2026-11-23', 1)).toEqual([{ day: '2026-11-23', messages: 0, passed: 0, forwarded: 0 }]);
});
