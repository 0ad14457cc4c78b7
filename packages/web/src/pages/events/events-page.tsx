import { countOpenEvents, findEvents } from '@dmarc-ledger/queries';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { filterShape, lastDays, samePage } from '../../page/filter.ts';
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
  days: filterShape.daysOrAll,
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
    const filter = { domain, acknowledged, ...lastDays(days, today) };
    if (format === 'csv') {
      const find = async (page: { limit: number; offset: number }) => (await findEvents(db, orgId, filter, page)).rows;
      return await csvFile(
        'events.csv',
        eventColumns,
        pagesOf(find, ({ id }) => id),
      );
    }
    const [{ rows, total }, olderOpen] = await Promise.all([
      findEvents(db, orgId, filter, { limit: rowsOfPage, offset }),
      filter.from === undefined || acknowledged ? 0 : countOpenEvents(db, orgId, { domain, before: filter.from }),
    ]);
    return { title: 'Events', body: <Events {...{ events: rows.map(eventOf), total, olderOpen, query: input }} /> };
  },
});

interface EventsProps {
  events: readonly ShownEvent[];
  total: number;
  /** Open events from before the days that are shown. */
  olderOpen: number;
  query: Query;
}

function Events({ events, total, olderOpen, query: asked }: EventsProps) {
  const { formats, url } = useFrame();
  const { state, domain, days, offset } = asked;
  return (
    <>
      <h1>
        Events
        <Explain term="acknowledged" />
      </h1>
      <FilterForm parts={['domain', 'days']} hasAllDays domain={domain} days={days}>
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
        {olderOpen > 0 && (
          <p>
            {formats.counted(olderOpen, 'open event is', 'open events are')} from before these days.{' '}
            <a href={samePage(url, { state: 'open', days: undefined, offset: undefined })}>Show all open events</a>
          </p>
        )}
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
