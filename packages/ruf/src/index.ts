export { FailureReportError } from './errors.ts';
export { readFailureReport } from './read-report.ts';
export type { AuthFailure, DeliveryResult, FailureReport } from './report.ts';
