import type { RecordKey, ReportVersion } from '@dmarc-ledger/ledger';

/** The reports that the records of a page belong to. */
export function ofPage<Report extends ReportVersion>(reports: readonly Report[], page: readonly RecordKey[]): Report[] {
  const ids = new Set(page.map(({ reportId }) => reportId));
  return reports.filter(({ id }) => ids.has(id));
}
