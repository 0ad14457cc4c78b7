export type { ReadContext } from './context.ts';
export { ReportError, type ReportCode } from './errors.ts';
export { LENIENT_LIMIT, MAX_RECORDS, RECORDS_A_BATCH } from './limits.ts';
export { readHeader } from './read-header-first.ts';
export { readReports, readWellFormed, readWellFormedAtOnce, type Outcomes } from './read-reports.ts';
export { streamReport, type FeedbackEvent } from './stream-report.ts';
export type { ReportReading } from './whole-report.ts';
