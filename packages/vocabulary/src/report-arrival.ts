/** What a reader of a report knows besides the document. */
export interface ReportArrival {
  /** When the report came in, in epoch seconds: what the times in it are compared with. */
  receivedAt: number;
}

/** The last second that RFC 3339 can name: 9999-12-31T23:59:59Z. A later one is not kept. */
export const LAST_INSTANT = 253_402_300_799;

const SLACK = 48 * 3_600;

/** True for an instant, in epoch seconds, that is further ahead of the arrival than clocks and zones explain. */
export function isAhead(instant: number, { receivedAt }: ReportArrival): boolean {
  return instant > receivedAt + SLACK;
}
