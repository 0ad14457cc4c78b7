export { TlsReportError } from './errors.ts';
export { isTlsReport, readTlsReport } from './read-report.ts';
export type { TlsFailure, TlsPolicy, TlsReport } from './report.ts';
