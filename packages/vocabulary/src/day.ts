/** A calendar day in UTC, `YYYY-MM-DD`. */
export type Day = string;

/** The first and the last day. */
export interface DayRange {
  from: Day;
  to: Day;
}

const SECONDS_A_DAY = 86_400;

/** Returns the UTC day of an instant in epoch seconds. */
export function dayOf(epochSeconds: number): Day {
  return new Date(epochSeconds * 1000).toISOString().slice(0, 10);
}

/** Returns the begin of a day (midnight) in epoch seconds. */
export function startOfDay(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

/** The first day that both PostgreSQL and RFC 3339 can write. No report is that old. */
const FIRST_DAY = '0001-01-01';
const FIRST = startOfDay(FIRST_DAY);
const LAST = startOfDay('9999-12-31');

/**
 * Returns the day `count` days after the given one (before it, if negative); the first or the last day of four-digit
 * years where there is none, as the database knows no year 0, and a report may be dated to the year 1.
 */
export function addDays(day: Day, count: number): Day {
  const instant = startOfDay(day) + count * SECONDS_A_DAY;
  return dayOf(Math.min(Math.max(instant, FIRST), LAST));
}

/** Returns how many days the second day is after the first; negative where it is before. */
export function daysBetween(first: Day, second: Day): number {
  return Math.round((startOfDay(second) - startOfDay(first)) / SECONDS_A_DAY);
}

/** True for a valid calendar day in the form `YYYY-MM-DD`; `2025-02-30` and `2025-2-3` are not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().slice(0, 10) === text;
}

/** The day itself; in place of one of the year 0, which the database does not know, the first that it knows. */
export function storableDay(day: Day): Day {
  return day < FIRST_DAY ? FIRST_DAY : day;
}

/**
 * Formats an instant as RFC 3339 in UTC, whole seconds, suffix `Z`; fractions are cut, not rounded. (rules, api/dates)
 */
export function instantText(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`;
}
