import { addDays, type Day } from '@dmarc-ledger/vocabulary';

/** Sums over the messages of a domain's reports about one day. A day without reports has no entry. */
export interface DayFigures {
  day: Day;
  messages: number;
  compliant: number;
  /** Failing messages whose forwarding is proved. */
  proved: number;
  spfPass: number;
  dkimPass: number;
}

/** Days before a judged day that it is compared with. */
export const BASE_DAYS = 14;
const FEWEST = 7;

/**
 * The mean of the days with reports among the fourteen before this one; undefined when they are fewer than seven.
 * (rules, events/base-of-a-day)
 */
export function baseOf(
  days: readonly DayFigures[],
  day: Day,
  figure: (day: DayFigures) => number | undefined,
): number | undefined {
  const from = addDays(day, -BASE_DAYS);
  const figures = days.flatMap((other) => (other.day >= from && other.day < day ? (figure(other) ?? []) : []));
  if (figures.length < FEWEST) return undefined;
  return figures.reduce((sum, one) => sum + one, 0) / figures.length;
}

/** Failing messages that proved forwarding does not explain. */
export function failingOf({ messages, compliant, proved }: DayFigures): number {
  return messages - compliant - proved;
}
