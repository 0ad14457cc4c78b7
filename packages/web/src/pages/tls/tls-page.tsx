import { findTlsCauses, findTlsDays } from '@dmarc-ledger/queries';
import { addDays } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { csvFile, csvShape, pagesOf } from '../../page/csv-file.ts';
import { filterShape } from '../../page/filter.ts';
import { pagingShape, rowsOfPage } from '../../page/paging.ts';
import { tlsColumns } from './tls-csv.ts';
import { Tls } from './tls.tsx';

/** Which servers could not deliver to us encrypted, and why? */
export const tlsPage = definePage({
  path: '/tls',
  permission: 'report:read',
  query: z.object({ domain: filterShape.domain, days: filterShape.days, ...csvShape, ...pagingShape }),
  params: z.object({}),
  async load({ db, viewer: { orgId }, today }, { domain, days, format, offset }) {
    const from = addDays(today, 1 - days);
    const filter = { domain, from, to: today };
    if (format === 'csv') {
      const find = async (page: { limit: number; offset: number }) =>
        (await findTlsCauses(db, orgId, filter, page)).rows;
      const keyOf = (row: { domain: string; cause: string; receiver: string }) =>
        JSON.stringify([row.domain, row.cause, row.receiver]);
      return await csvFile('tls-failures.csv', tlsColumns, pagesOf(find, keyOf));
    }
    const [sums, causes] = await Promise.all([
      findTlsDays(db, orgId, filter),
      findTlsCauses(db, orgId, filter, { limit: rowsOfPage, offset }),
    ]);
    return { title: 'TLS', body: <Tls {...{ sums, causes, offset, domain, days, from }} /> };
  },
});
