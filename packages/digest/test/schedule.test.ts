import { expect, it } from 'vitest';
import { issueTime, latestIssue, nextIssue, periodOf } from '../src/index.ts';

// 2026-03-02 is a Monday
it.each([
  ['daily', '2026-03-04T06:59:59Z', '2026-03-03', '2026-03-04'],
  ['daily', '2026-03-04T07:00:00Z', '2026-03-04', '2026-03-05'],
  ['weekly', '2026-03-02T06:59:59Z', '2026-02-23', '2026-03-02'],
  ['weekly', '2026-03-02T07:00:00Z', '2026-03-02', '2026-03-09'],
  ['weekly', '2026-03-08T23:00:00Z', '2026-03-02', '2026-03-09'],
] as const)('of %s issues at %s the newest is that of %s, and the next that of %s', (frequency, now, last, next) => {
  expect(latestIssue(frequency, new Date(now))).toBe(last);
  expect(nextIssue(frequency, new Date(now))).toBe(next);
  expect(issueTime(next).toISOString()).toBe(`${next}T07:00:00.000Z`);
});

it('a weekly issue counts the seven days up to the day before yesterday, and lists the events since the one before', () => {
  expect(periodOf('weekly', '2026-03-09')).toEqual({
    from: '2026-03-01',
    to: '2026-03-07',
    before: { from: '2026-02-22', to: '2026-02-28' },
    since: new Date('2026-03-02T07:00:00Z'),
    until: new Date('2026-03-09T07:00:00Z'),
  });
});

it('a daily issue counts one day', () => {
  expect(periodOf('daily', '2026-03-09')).toMatchObject({
    from: '2026-03-07',
    to: '2026-03-07',
    before: { from: '2026-03-06', to: '2026-03-06' },
    since: new Date('2026-03-08T07:00:00Z'),
  });
});
