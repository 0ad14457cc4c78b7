import { findTlsFailures, findTlsReport, type TlsFailureRow } from '@dmarc-ledger/queries';
import { HttpProblem, idText, parseId } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { csvFile, csvShape, pagesOf, type CsvColumns } from '../../page/csv-file.ts';
import { definePage } from '../../page/define-page.ts';
import { pagingShape, rowsOfPage } from '../../page/paging.ts';
import { TlsReportView } from './tls-report.tsx';

const columns: CsvColumns<TlsFailureRow> = {
  position: ({ position }) => position,
  domain: ({ domain }) => domain,
  cause: ({ result_type }) => result_type,
  sending_ip: ({ sending_ip }) => sending_ip,
  mail_server: ({ receiving_host }) => receiving_host,
  receiving_ip: ({ receiving_ip }) => receiving_ip,
  receiving_helo: ({ receiving_helo }) => receiving_helo,
  failed_sessions: ({ sessions }) => sessions,
  reason_code: ({ reason_code }) => reason_code,
  information: ({ information }) => information,
};

/** What exactly did this sender say about its connections? */
export const tlsReportPage = definePage({
  path: '/tls/reports/:id',
  permission: 'report:read',
  query: z.object({ ...pagingShape, ...csvShape }),
  params: z.object({ id: z.string().transform((text) => parseId(text) ?? '') }),
  async load({ db, viewer: { orgId } }, { id, offset, format }) {
    const report = id === '' ? undefined : await findTlsReport(db, orgId, id);
    if (!report) throw new HttpProblem('not_found', { status: 404, error: 'There is no such TLS report' });
    if (format === 'csv') {
      const find = async (page: { limit: number; offset: number }) => (await findTlsFailures(db, orgId, id, page)).rows;
      return await csvFile(
        `tls-failures-${idText(id)}.csv`,
        columns,
        pagesOf(find, ({ position }) => String(position)),
      );
    }
    const { rows, total } = await findTlsFailures(db, orgId, id, { limit: rowsOfPage, offset });
    const body = <TlsReportView {...{ report, failures: rows, total, offset }} />;
    return { title: `TLS report of ${report.reporter_name ?? 'an unnamed reporter'}`, body };
  },
});
