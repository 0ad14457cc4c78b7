export { FailureReportError } from './errors.ts';
export { readFailureReport, type ReadContext } from './read-report.ts';
export type { AuthFailure, DeliveryResult, FailureReport } from './report.ts';
