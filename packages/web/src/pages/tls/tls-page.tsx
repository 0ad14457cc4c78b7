import { sumTlsReports } from '@dmarc-ledger/queries';
import { addDays } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { csvFile, csvShape, inMemory } from '../../page/csv-file.ts';
import { filterShape } from '../../page/filter.ts';
import { tlsColumns } from './tls-csv.ts';
import { Tls } from './tls.tsx';

/** Which servers could not deliver to us encrypted, and why? */
export const tlsPage = definePage({
  path: '/tls',
  permission: 'report:read',
  query: z.object({ domain: filterShape.domain, days: filterShape.days, ...csvShape }),
  params: z.object({}),
  async load({ db, viewer, today }, { domain, days, format }) {
    const from = addDays(today, 1 - days);
    const sums = await sumTlsReports(db, viewer.orgId, { domain, from, to: today });
    if (format === 'csv') return await csvFile('tls-failures.csv', tlsColumns, inMemory(sums.causes));
    return { title: 'TLS', body: <Tls sums={sums} domain={domain} days={days} from={from} /> };
  },
});
