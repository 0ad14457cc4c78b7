export { AprfError, type AprfCode } from './errors.ts';
export { isAprf, readAprf } from './read-reports.ts';
export type { AprfEntry, AprfReport, AprfRow } from './report.ts';
