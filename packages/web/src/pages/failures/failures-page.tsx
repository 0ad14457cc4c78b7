import { findFailurePage, type FailureRow } from '@dmarc-ledger/queries';
import { idText, instantText } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { csvFile, csvShape, pagesOf, type CsvColumns } from '../../page/csv-file.ts';
import { definePage } from '../../page/define-page.ts';
import { filterShape, lastDays } from '../../page/filter.ts';
import { pagingShape, rowsOfPage } from '../../page/paging.ts';
import { Failures } from './failures.tsx';

const query = z.object({ domain: filterShape.domain, days: filterShape.daysOrAll, ...csvShape, ...pagingShape });

const columns: CsvColumns<FailureRow> = {
  id: ({ id }) => idText(id),
  received_at: ({ received_at }) => instantText(received_at),
  domain: ({ reported_domain }) => reported_domain,
  source_ip: ({ source_ip }) => source_ip,
  arrived_at: ({ arrived_at }) => arrived_at && instantText(arrived_at),
  messages: ({ incidents }) => incidents,
  failed: ({ auth_failure }) => auth_failure,
  delivery: ({ delivery_result }) => delivery_result,
  envelope_domain: ({ mail_from_domain }) => mail_from_domain,
  dkim_domains: ({ dkim_domains }) => dkim_domains.join(' '),
};

/** Which single messages failed, as far as receivers say? */
export const failuresPage = definePage({
  path: '/failures',
  permission: 'report:read',
  query,
  params: z.object({}),
  async load({ db, viewer: { orgId }, today }, { domain, days, format, offset }) {
    const filter = { domain, ...lastDays(days, today) };
    if (format === 'csv') {
      const find = async (page: { limit: number; offset: number }) =>
        (await findFailurePage(db, orgId, filter, page)).rows;
      return await csvFile(
        'failure-reports.csv',
        columns,
        pagesOf(find, ({ id }) => id),
      );
    }
    const { rows, total } = await findFailurePage(db, orgId, filter, { limit: rowsOfPage, offset });
    const props = { rows, total, offset, domain, days };
    return { title: 'Failure reports', body: <Failures {...props} /> };
  },
});
