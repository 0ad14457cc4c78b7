import { countDeliveriesByCode, type DeliveryRow, findDeliveries, findMailboxes } from '@dmarc-ledger/queries';
import { addDays, parseId } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { dayText } from '../../page/filter.ts';
import { csvFile, csvShape, pagesAfter } from '../../page/csv-file.ts';
import { rowsOfPage, searchText } from '../../page/paging.ts';
import { WITHOUT_CODE } from './deliveries-behind.ts';
import { deliveryColumns } from './deliveries-csv.ts';
import { Ingest } from './ingest.tsx';
import { deliveryStates } from './delivery-states.ts';

const WINDOW_DAYS = 30;
const query = z.object({
  state: z.enum(deliveryStates).optional().catch(undefined),
  code: searchText,
  from: dayText,
  before: z
    .string()
    .transform((text) => parseId(text))
    .optional()
    .catch(undefined),
  ...csvShape,
});

/** Is mail arriving, what was refused, and why? */
export const ingestPage = definePage({
  path: '/settings/ingest',
  permission: 'see intake',
  query,
  params: z.object({}),
  async load({ db, viewer: { orgId }, today }, { state, code, from, before, format }) {
    const filter = { state, code: code === WITHOUT_CODE ? null : code, from };
    const first = addDays(today, 1 - WINDOW_DAYS);
    if (format === 'csv') {
      const rows = pagesAfter<DeliveryRow>(async ({ limit, after }) =>
        findDeliveries(db, orgId, filter, { limit, before: after?.id }),
      );
      return await csvFile('deliveries.csv', deliveryColumns, rows);
    }
    const [mailboxes, counts, deliveries] = await Promise.all([
      findMailboxes(db, orgId),
      countDeliveriesByCode(db, orgId, first),
      findDeliveries(db, orgId, filter, { limit: rowsOfPage, before }),
    ]);
    const props = { mailboxes, counts, deliveries, state, code, from, first, days: WINDOW_DAYS };
    return { title: 'Intake', body: <Ingest {...props} /> };
  },
});
