import { addDays, dayOf, startOfDay, type Day } from '@dmarc-ledger/vocabulary';

export const frequencies = ['daily', 'weekly'] as const;
export type Frequency = (typeof frequencies)[number];

/** Digests go out at 07:00 UTC, an hour after the figures of a day are judged; weekly ones on Mondays. */
const HOUR = 7;
const MONDAY = 1;
const DAY_MS = 86_400_000;
const lengths: { [frequency in Frequency]: number } = { daily: 1, weekly: 7 };
/** Reports about a day take a day to arrive, so the newest day of a digest is the one before yesterday. */
const DELAY_DAYS = 2;

/** When the issue of a day goes out. */
export function issueTime(day: Day): Date {
  return new Date((startOfDay(day) + HOUR * 3_600) * 1_000);
}

/** The day of the newest issue that is due at an instant. */
export function latestIssue(frequency: Frequency, now: Date): Day {
  const today = dayOf(now.getTime() / 1_000);
  const last = issueTime(today) <= now ? today : addDays(today, -1);
  if (frequency === 'daily') return last;
  const weekday = new Date(startOfDay(last) * 1_000).getUTCDay();
  return addDays(last, -((weekday - MONDAY + 7) % 7));
}

/** The day of the first issue after an instant. */
export function nextIssue(frequency: Frequency, now: Date): Day {
  return addDays(latestIssue(frequency, now), lengths[frequency]);
}

/** What an issue is about. */
export interface IssuePeriod {
  /** The days whose mail it counts, both included. */
  from: Day;
  to: Day;
  /** As many days before them. */
  before: { from: Day; to: Day };
  /** The time since the issue before, whose events it lists. */
  since: Date;
  until: Date;
}

/** The period of the issue of a day. (rules, digests/periods) */
export function periodOf(frequency: Frequency, day: Day): IssuePeriod {
  const length = lengths[frequency];
  const to = addDays(day, -DELAY_DAYS);
  const from = addDays(to, 1 - length);
  const until = issueTime(day);
  return {
    from,
    to,
    before: { from: addDays(from, -length), to: addDays(from, -1) },
    since: new Date(until.getTime() - length * DAY_MS),
    until,
  };
}
