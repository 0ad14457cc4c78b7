import { findReport, findReportCopies, findWarnings, readRecords, type StoredRecord } from '@dmarc-ledger/queries';
import { canonicalIp, HttpProblem, idText, parseId } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { csvFile, csvShape } from '../../page/csv-file.ts';
import { pagingShape } from '../../page/paging.ts';
import { recordColumns } from './records-csv.ts';
import { ReportView } from './report.tsx';

const ROWS = 100;

/** What exactly did this reporter say? */
export const reportPage = definePage({
  path: '/reports/:id',
  permission: 'report:read',
  query: z.object({
    ...pagingShape,
    ...csvShape,
    address: z
      .string()
      .transform((text) => canonicalIp(text.trim()))
      .optional()
      .catch(undefined),
    result: z.literal('fail').optional().catch(undefined),
  }),
  params: z.object({ id: z.string().transform((text) => parseId(text) ?? '') }),
  async load({ db, viewer: { orgId } }, { id, offset, address, result, format }) {
    const report = id === '' ? undefined : await findReport(db, orgId, id);
    if (!report) throw new HttpProblem('not_found', { status: 404, error: 'There is no such report' });
    const onlyFailed = result === 'fail';
    if (format === 'csv') {
      const records = readRecords(db, orgId, report, { address, onlyFailed });
      return await csvFile(`records-${idText(id)}.csv`, recordColumns(report), records);
    }
    const [warnings, copies, records] = await Promise.all([
      findWarnings(db, orgId, id),
      findReportCopies(db, orgId, id),
      page(readRecords(db, orgId, report, { first: offset, address, onlyFailed })),
    ]);
    const props = { report, warnings, copies, records, offset, limit: ROWS, address, onlyFailed };
    const body = <ReportView {...props} />;
    return { title: `Report of ${report.metadata.reporterName ?? 'an unnamed reporter'}`, body };
  },
});

/** The first batch: as many records as one page shows. */
async function page(batches: AsyncGenerator<StoredRecord[]>): Promise<StoredRecord[]> {
  for await (const batch of batches) return batch.slice(0, ROWS);
  return [];
}
