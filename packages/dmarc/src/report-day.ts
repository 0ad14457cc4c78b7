import { dayOf, type Day } from '@dmarc-ledger/vocabulary';

/**
 * Returns the calendar day that a report counts on: the UTC day of its window's midpoint, so that a one-day window has
 * its day whether it ends at 23:59:59 or at the next midnight. Without an end the begin decides, without both the day
 * of receipt. (rules, verdict/report-day)
 */
export function reportDay({ begin, end }: { begin: number | null; end: number | null }, receivedAt: number): Day {
  const from = begin ?? end;
  if (from === null) return dayOf(receivedAt);
  return dayOf(Math.floor((from + (end ?? from)) / 2));
}
