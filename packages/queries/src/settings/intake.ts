import type { Db, MessageState } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

export interface DeliveryFilter {
  state?: MessageState | undefined;
  /** Null: only deliveries without one. */
  code?: string | null | undefined;
  /** The first day on which they were received. */
  from?: Day | undefined;
}

/** The sentence of the first document that was refused; the others stand on the page of the delivery. */
const FIRST_REFUSAL = sql<
  string | null
>`jsonb_path_query_first(parts, '$[*] ? (@.outcome == "refused").message') #>> '{}'`;

/** One page of the deliveries of an organization, newest first. */
export async function findDeliveries(
  db: Db,
  orgId: string,
  { state, code, from }: DeliveryFilter,
  page: { limit: number; before?: string | undefined },
) {
  let query = db
    .selectFrom('raw_message')
    .select(['id', 'state', 'code', 'name', 'size', 'source', 'received_at', 'finished_at', 'held_until'])
    .select(sql<number>`coalesce(jsonb_array_length(parts), 0)`.as('documents'))
    .select(FIRST_REFUSAL.as('why'))
    .where('org_id', '=', orgId);
  if (state !== undefined) query = query.where('state', '=', state);
  if (code !== undefined) query = query.where('code', code === null ? 'is' : '=', code);
  if (from !== undefined) query = query.where('received_at', '>=', beginOf(from));
  if (page.before !== undefined) query = query.where('id', '<', page.before);
  return await query.orderBy('id', 'desc').limit(page.limit).execute();
}

export type DeliveryRow = Awaited<ReturnType<typeof findDeliveries>>[number];

/** One delivery of an organization. */
export async function findDelivery(db: Db, orgId: string, id: string) {
  return await db
    .selectFrom('raw_message')
    .select(['id', 'state', 'code', 'name', 'size', 'source', 'received_at', 'finished_at', 'held_until', 'parts'])
    .select(['attempts_started', 'bytes_purged_at', 'mailbox_id', 'sha256', 'only_domains'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export type DeliveryDetail = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

function beginOf(day: Day) {
  return sql<Date>`${day}::timestamp at time zone 'UTC'`;
}

/** The number of deliveries received since a day, by state and code. */
export async function countDeliveriesByCode(db: Db, orgId: string, from: Day) {
  return await db
    .selectFrom('raw_message')
    .select([
      'state',
      'code',
      (eb) => eb.fn.countAll<number>().as('deliveries'),
      sql<Date>`max(received_at)`.as('newest'),
    ])
    .where('org_id', '=', orgId)
    .where('received_at', '>=', beginOf(from))
    .groupBy(['state', 'code'])
    .orderBy('deliveries', 'desc')
    .execute();
}

export type DeliveryCount = Awaited<ReturnType<typeof countDeliveriesByCode>>[number];
