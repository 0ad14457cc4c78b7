import { present, LAST_INSTANT } from '@dmarc-ledger/vocabulary';
import { ReportError } from '../errors.ts';
import type { Warn } from './warn.ts';

const NUMBER = /^(\d{1,16})(\.\d*)?$/;
const DATE_LIKE = /^\d{4}-\d{2}-\d{2}/;
const ISO_8601 = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * One end of a report's window in epoch seconds (RFC 9990, 3.1.1.2), from the notations that reporters use. Null: none.
 */
export function readInstant(raw: string | null, warn: Warn): number | null {
  const text = raw?.trim() ?? '';
  if (DATE_LIKE.test(text)) return readIso8601(text, warn);
  const match = NUMBER.exec(text);
  if (!match) return null;
  const seconds = toSeconds(present(match[1]), warn);
  if (match[2] !== undefined) warn('date_range_fractional');
  return seconds <= LAST_INSTANT ? seconds : null;
}

function toSeconds(digits: string, warn: Warn): number {
  const number = Number(digits);
  if (digits.length === 13) {
    warn('date_range_milliseconds');
    return Math.floor(number / 1e3);
  }
  if (digits.length === 16) {
    warn('date_range_microseconds');
    return Math.floor(number / 1e6);
  }
  return number;
}

/** A date in words counts only with its offset: guessing one could put a report on another day. */
function readIso8601(text: string, warn: Warn): number {
  const instant = ISO_8601.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(instant))
    throw new ReportError('date_range_iso8601', 'the date range is written as a date without its offset');
  warn('date_range_iso8601');
  return Math.floor(instant / 1000);
}
