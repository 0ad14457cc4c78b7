export { TlsReportError } from './errors.ts';
export { isTlsReport, readTlsReport, type ReadContext } from './read-report.ts';
export type { TlsFailure, TlsPolicy, TlsReport } from './report.ts';
