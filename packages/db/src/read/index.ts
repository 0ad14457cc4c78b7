export { findDomains, type DomainRow } from './domains.ts';
export {
  findReport, findWarnings, readRecords, type ReportHead, type StoredRecord,
} from './report-detail.ts';
export type { ReportFilter } from './report-filter.ts';
export { findReports, type ReportListRow, type ReportSort } from './reports.ts';
export type { Page, SortDirection } from './sorted-list.ts';
export { findSource, findSourceDays, findSourceReports, type SourceDetail } from './source-detail.ts';
export type { SourceFilter } from './source-filter.ts';
export { sourceClassOf, type SourceListRow, type SourceRow, type SourceSums } from './source-row.ts';
export { findSources, type SourceSort } from './sources.ts';
export { isStorageFailure } from './storage-failure.ts';
export { findDomainId, findDomainTotal, findNamedTotal, findOrgTotal, type Total } from './totals.ts';
export { findDateRange, findDomainDays, findOrgDays } from './trends.ts';
