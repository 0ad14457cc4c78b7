import { isJsonObject, type Json, type WarningList, isAhead, LAST_INSTANT } from '@dmarc-ledger/vocabulary';

const HOUR = 3_600;
/** A day, and slack for clocks and summer time. */
const LONG = 27 * HOUR;
/** 2016-01-01: before it there was no draft of this report. */
const ANCIENT = 1_451_606_400;
const INSTANT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/i;

export interface Window {
  begin: number | null;
  end: number | null;
}

/** The period of a report, usually one UTC day, put in order. (RFC 8460, 4.1) */
export function readWindow(value: Json | undefined, receivedAt: number, warnings: WarningList): Window {
  const range = isJsonObject(value) ? value : undefined;
  const first = readInstant(range?.get('start-datetime'), warnings);
  const last = readInstant(range?.get('end-datetime'), warnings);
  if (first === null || last === null) return { begin: first, end: last };
  if (first > last) warnings.add('date_range_reversed');
  const [begin, end] = first > last ? [last, first] : [first, last];
  if (end - begin > LONG) warnings.add('date_range_long', `${Math.round((end - begin) / HOUR)} hours`);
  if (isAhead(end, { receivedAt })) warnings.add('date_range_future');
  if (end < ANCIENT) warnings.add('date_range_ancient');
  return { begin, end };
}

/** RFC 3339. Without an offset it is UTC, in which the standard counts the day. */
function readInstant(value: Json | undefined, warnings: WarningList): number | null {
  if (value === undefined || value === null) {
    warnings.add('date_range_missing');
    return null;
  }
  const text = typeof value === 'string' ? value.trim() : '';
  const [match, offset] = INSTANT.exec(text) ?? [];
  const seconds = match ? Math.floor(Date.parse(text.replace(' ', 'T') + (offset ? '' : 'Z')) / 1000) : Number.NaN;
  if (!(seconds >= 0 && seconds <= LAST_INSTANT)) {
    warnings.add('date_range_invalid');
    return null;
  }
  if (!offset) warnings.add('date_range_without_offset');
  return seconds;
}
