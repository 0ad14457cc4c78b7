import { afterEach, expect, it, vi } from 'vitest';
import { failuresAfter, pauseMs, type Course } from '../src/mailbox/backoff.ts';

const MINUTE = 60_000;
const NOW = 10 * MINUTE;

afterEach(() => void vi.restoreAllMocks());

it.each<[string, Course, number]>([
  ['was never looked at', { hasProgress: false }, 8],
  ['was looked at and dropped', { hasProgress: false, lookedAt: NOW }, 8],
  ['was silent after the look', { hasProgress: false, lookedAt: NOW - 1.7 * MINUTE }, 8],
  ['was read for minutes', { hasProgress: false, lookedAt: NOW - 2 * MINUTE }, 1],
  ['was dropped after mails were entered', { hasProgress: true, lookedAt: NOW }, 1],
  ['was dropped in the middle of a backlog', { hasProgress: true }, 1],
])('counts failures in a row: after seven, a mailbox that %s', (_, course, failures) => {
  expect(failuresAfter(7, course, NOW)).toBe(failures);
});

it('stays away ever longer, up to five minutes, and never as long as the others', () => {
  const longest = 5 * MINUTE;
  const pauses = (random: number) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    return [1, 2, 3, 9, 10, 500].map((failures) => pauseMs(failures, longest));
  };
  expect(pauses(0)).toEqual([500, 500, 500, 500, 500, 500]);
  expect(pauses(1)).toEqual([1_500, 2_500, 4_500, 256_500, 300_500, 300_500]);
});
