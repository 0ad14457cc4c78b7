import { isAhead } from '@dmarc-ledger/vocabulary';
import { readInstant } from '../values/read-instant.ts';
import type { Warn } from '../values/warn.ts';
import type { RawDateRange } from '../xml/raw-report.ts';

export interface Window {
  begin: number | null;
  end: number | null;
}

const HOUR = 3_600;
/** A day, and slack for clocks and summer time. */
const LONG = 27 * HOUR;
/** 2012-01-01, the year DMARC was published. */
const ANCIENT = 1_325_376_000;

/**
 * The period of a report, put in order, with a warning for each irregularity. (RFC 9990, 3.1.1.2; rules,
 * reading-reports/window)
 */
export function readWindow(raw: RawDateRange | null, receivedAt: number, warn: Warn): Window {
  const window = inOrder(
    { begin: readInstant(raw?.begin ?? null, warn), end: readInstant(raw?.end ?? null, warn) },
    warn,
  );
  const { begin, end } = window;
  if (begin === null || end === null) warn('date_range_missing');
  else if (begin === end) warn('date_range_zero_length');
  else if (end - begin > LONG) warn('date_range_long', `${Math.round((end - begin) / HOUR)} hours`);
  const last = end ?? begin;
  if (last !== null && isAhead(last, { receivedAt })) warn('date_range_future');
  if (last !== null && last < ANCIENT) warn('date_range_ancient');
  return window;
}

function inOrder({ begin, end }: Window, warn: Warn): Window {
  if (begin === null || end === null || begin <= end) return { begin, end };
  warn('date_range_reversed');
  return { begin: end, end: begin };
}
