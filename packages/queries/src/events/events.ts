import { type Db, inSnapshot } from '@dmarc-ledger/schema';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

export interface EventFilter {
  /** The first and last day on which it was raised. */
  from?: Day;
  to?: Day;
  /** An exact, normalized name. */
  domain?: string;
  /** True: only acknowledged events; false: only the others. */
  acknowledged?: boolean;
}

/** Returns one page of an organization's events, newest first, and the number that match, as of one moment. */
export async function findEvents(
  reads: Db,
  orgId: string,
  filter: EventFilter,
  page: { limit: number; offset: number },
) {
  return await inSnapshot(reads, async (db) => {
    const matching = matchingEvents(db, orgId, filter);
    const [{ total }, rows] = await Promise.all([
      matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      matching
        .select([
          'id',
          'type',
          'severity',
          'title',
          'message',
          'domain',
          'link',
          'dedup_key as key',
          'created_at',
          'resolved_at',
          'acknowledged_at',
          'acknowledged_by',
        ])
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute(),
    ]);
    return { rows, total };
  });
}

/** Counts the events of an organization, or of one of its domains, that are not acknowledged, raised before a day. */
export async function countOpenEvents(
  db: Db,
  orgId: string,
  { domain, before }: { domain?: string | undefined; before: Day },
): Promise<number> {
  const { total } = await matchingEvents(db, orgId, { domain, acknowledged: false, to: addDays(before, -1) })
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

function matchingEvents(db: Db, orgId: string, filter: EventFilter) {
  let matching = db.selectFrom('event').where('org_id', '=', orgId);
  if (filter.from !== undefined)
    matching = matching.where('created_at', '>=', sql<Date>`${filter.from}::timestamp at time zone 'UTC'`);
  if (filter.to !== undefined)
    matching = matching.where('created_at', '<', sql<Date>`(${filter.to}::date + 1)::timestamp at time zone 'UTC'`);
  if (filter.domain !== undefined) matching = matching.where('domain', '=', filter.domain);
  if (filter.acknowledged !== undefined)
    matching = matching.where('acknowledged_at', filter.acknowledged ? 'is not' : 'is', null);
  return matching;
}

export type EventRow = Awaited<ReturnType<typeof findEvents>>['rows'][number];
