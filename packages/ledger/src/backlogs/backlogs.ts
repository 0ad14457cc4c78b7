import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { isNotSuspended } from '../notifications/not-suspended.ts';

/** Waiting work: how much, counted up to a bound, and the age of the oldest in seconds. */
export interface Backlog {
  count: number;
  oldestSeconds: number;
}

/** A larger number would change no decision, and counting it would take longer the larger the backlog is. */
const COUNTED_AT_MOST = 10_000;
const ORGANIZATIONS = 1_000;

/** Announced work that is not in the queue yet. */
export async function findOutboxBacklog(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select count(*) as count, ${age(sql`min(created_at)`)} as "oldestSeconds"
    from (select created_at from outbox order by id limit ${COUNTED_AT_MOST}) waiting`.execute(db);
  return rows[0]!;
}

/** Keys of rollups that wait for repair. */
export async function findDirtyBacklog(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select count(*) as count, ${age(sql`min(since)`)} as "oldestSeconds"
    from (select since from rollup_dirty limit ${COUNTED_AT_MOST}) dirty`.execute(db);
  return rows[0]!;
}

/** Notifications that are not delivered, without those of suspended organizations. */
export async function findNotificationBacklog(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select count(*) as count, ${age(sql`min(planned_at)`)} as "oldestSeconds"
    from (select planned_at from event_delivery d
      where state in ('waiting', 'failed') and ${isNotSuspended(sql`d.org_id`)}
      order by planned_at limit ${COUNTED_AT_MOST}) waiting`.execute(db);
  return rows[0]!;
}

/**
 * The longest wait of a delivery since its receipt, in seconds; 0 if none waits. Reads the oldest of each organization,
 * one step in the index each. A replayed delivery counts from its first receipt.
 */
export async function findIntakeLag(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    with recursive oldest as (
      (select org_id, id, received_at, 1 as n from raw_message where state in ('received', 'processing')
        and held_until is null
       order by org_id, id limit 1)
      union all
      select next.*, oldest.n + 1 from oldest cross join lateral (
        select org_id, id, received_at from raw_message
        where state in ('received', 'processing') and held_until is null and org_id > oldest.org_id order by org_id,
          id limit 1) next
      where oldest.n < ${ORGANIZATIONS}
    )
    select ${age(sql`min(received_at)`)} as seconds from oldest`.execute(db);
  return rows[0]!.seconds;
}

function age(instant: ReturnType<typeof sql>) {
  return sql`coalesce(greatest(extract(epoch from now() - ${instant}), 0), 0)::double precision`;
}
