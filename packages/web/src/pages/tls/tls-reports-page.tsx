import { findTlsReportPage, type TlsCause, type TlsReportRow } from '@dmarc-ledger/queries';
import { idText, instantText } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { csvFile, csvShape, pagesOf, type CsvColumns } from '../../page/csv-file.ts';
import { definePage } from '../../page/define-page.ts';
import { filterShape, lastDays } from '../../page/filter.ts';
import { pagingShape, rowsOfPage } from '../../page/paging.ts';
import { TlsReports } from './tls-reports.tsx';

const MAX_TEXT = 255;
const text = z.string().max(MAX_TEXT).optional().catch(undefined);
const query = z.object({
  domain: filterShape.domain,
  days: filterShape.daysOrAll,
  of: text,
  cause: text,
  server: text,
  ...csvShape,
  ...pagingShape,
});

const columns: CsvColumns<TlsReportRow> = {
  id: ({ id }) => idText(id),
  day: ({ day }) => day,
  reporter: ({ reporter_name }) => reporter_name,
  domains: ({ domains }) => domains.join(' '),
  sessions: ({ successes }) => successes,
  failed_sessions: ({ failures }) => failures,
  received_at: ({ received_at }) => instantText(received_at),
};

/** Which TLS reports are behind a figure? */
export const tlsReportsPage = definePage({
  path: '/tls/reports',
  permission: 'report:read',
  query,
  params: z.object({}),
  async load({ db, viewer: { orgId }, today }, { domain, days, of, cause, server, format, offset }) {
    const failure = failureOf(of, cause, server);
    const filter = { domain, failure, ...lastDays(days, today) };
    if (format === 'csv') {
      const find = async (page: { limit: number; offset: number }) =>
        (await findTlsReportPage(db, orgId, filter, page)).rows;
      return await csvFile(
        'tls-reports.csv',
        columns,
        pagesOf(find, ({ id }) => id),
      );
    }
    const { rows, total } = await findTlsReportPage(db, orgId, filter, { limit: rowsOfPage, offset });
    return { title: 'TLS reports', body: <TlsReports {...{ rows, total, offset, domain, days, failure }} /> };
  },
});

/** A failure is asked for by all that the list of causes shows of it; each may be empty. */
function failureOf(domain?: string, cause?: string, receiver?: string): TlsCause | undefined {
  if (domain === undefined || cause === undefined || receiver === undefined) return undefined;
  return { domain, cause, receiver };
}
