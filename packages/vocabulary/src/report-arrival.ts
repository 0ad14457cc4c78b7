/** What the reader of a report knows besides the document. */
export interface ReportArrival {
  /** When the report was received, in epoch seconds; times in the report are compared with it. */
  receivedAt: number;
}

/** The last second that RFC 3339 can write: 9999-12-31T23:59:59Z. A later one is not stored. */
export const LAST_INSTANT = 253_402_300_799;

const SLACK = 48 * 3_600;

/** True for an instant, in epoch seconds, further ahead of the receipt than clocks and time zones explain. */
export function isAhead(instant: number, { receivedAt }: ReportArrival): boolean {
  return instant > receivedAt + SLACK;
}
