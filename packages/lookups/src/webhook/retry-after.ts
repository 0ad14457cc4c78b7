/** The longest pause that is respected. */
const MOST_SECONDS = 12 * 3_600;
const DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns the pause in seconds that a response asks for, at most twelve hours; null if there is none, or it cannot be
 * parsed. (RFC 9110, 10.2.3: seconds, or a date)
 */
export function readRetryAfter(header: string | string[] | undefined, now: Date): number | null {
  if (typeof header !== 'string') return null;
  const text = header.trim();
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : DATE.test(text) ? secondsUntil(text, now) : NaN;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), MOST_SECONDS);
}

function secondsUntil(date: string, now: Date): number {
  return Math.ceil((Date.parse(date) - now.getTime()) / 1_000);
}
