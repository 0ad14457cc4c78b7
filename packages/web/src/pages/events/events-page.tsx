import { findEvents } from '@dmarc-ledger/queries';
import { addDays } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { filterShape } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { csvFile, csvShape, pagesOf } from '../../page/csv-file.ts';
import { pagingShape, rowsOfPage } from '../../page/paging.ts';
import { Explain } from '../../views/explain.tsx';
import { FilterForm } from '../../views/filter-form.tsx';
import { Pager } from '../../views/table.tsx';
import { EventList } from './event-list.tsx';
import { eventColumns } from './events-csv.ts';
import { eventOf, type ShownEvent } from './event-of.ts';

const query = z.object({
  domain: filterShape.domain,
  days: filterShape.days,
  state: z.enum(['open', 'acknowledged']).optional().catch(undefined),
  ...csvShape,
  ...pagingShape,
});
type Query = z.output<typeof query>;

/** What happened, and who dealt with it? */
export const eventsPage = definePage({
  path: '/events',
  permission: 'alert:read',
  query,
  params: z.object({}),
  async load({ db, viewer: { orgId }, today }, input) {
    const { state, domain, days, offset, format } = input;
    const acknowledged = state === undefined ? undefined : state === 'acknowledged';
    const filter = { domain, acknowledged, from: addDays(today, 1 - days), to: today };
    if (format === 'csv') {
      const find = async (page: { limit: number; offset: number }) => (await findEvents(db, orgId, filter, page)).rows;
      return await csvFile(
        'events.csv',
        eventColumns,
        pagesOf(find, ({ id }) => id),
      );
    }
    const { rows, total } = await findEvents(db, orgId, filter, { limit: rowsOfPage, offset });
    return { title: 'Events', body: <Events events={rows.map(eventOf)} total={total} query={input} /> };
  },
});

function Events({ events, total, query: asked }: { events: readonly ShownEvent[]; total: number; query: Query }) {
  const { url } = useFrame();
  const { state, domain, days, offset } = asked;
  return (
    <>
      <h1>
        Events
        <Explain term="acknowledged" />
      </h1>
      <FilterForm parts={['domain', 'days']} domain={domain} days={days}>
        <label>
          State
          <select name="state">
            <option value="">all</option>
            <option value="open" selected={state === 'open'}>
              open
            </option>
            <option value="acknowledged" selected={state === 'acknowledged'}>
              acknowledged
            </option>
          </select>
        </label>
      </FilterForm>
      <section class="panel">
        <EventList
          events={events}
          back={`${url.pathname}${url.search}`}
          empty="No event matches. Change the filter, or take it away."
        />
        <Pager total={total} limit={rowsOfPage} offset={offset} csv />
      </section>
    </>
  );
}
