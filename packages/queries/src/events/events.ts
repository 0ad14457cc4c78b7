import { type Db, inSnapshot } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
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
