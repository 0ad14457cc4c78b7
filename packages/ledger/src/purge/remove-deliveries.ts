import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Deliveries in one statement. */
const DELIVERIES = 500;

const ENDED = sql`state not in ('received', 'processing')`;

/** A number of deliveries, and the size of their bytes. */
export interface PurgedBytes {
  deliveries: number;
  bytes: number;
}

/**
 * Releases the bytes of some ended deliveries received before an instant. Their reports stay. The bytes are deleted
 * when no organization references them.
 */
export async function purgeBytes(db: Db, orgId: string, before: Date): Promise<PurgedBytes> {
  const { rows } = await sql<PurgedBytes>`
    with picked as (
      select id from raw_message where org_id = ${orgId} and received_at < ${before} and bytes_purged_at is null
        and ${ENDED}
      order by received_at limit ${DELIVERIES} for update skip locked
    ), purged as (
      update raw_message m set bytes_purged_at = ledger_now() from picked p where m.org_id = ${orgId} and m.id = p.id
      returning m.size
    )
    select count(*) as deliveries, coalesce(sum(size), 0) as bytes from purged`.execute(db);
  return rows[0]!;
}

/** Removes some ended deliveries received before an instant, with the records of their contents. */
export async function removeDeliveries(db: Db, orgId: string, before: Date): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with picked as (
      select id from raw_message where org_id = ${orgId} and received_at < ${before} and ${ENDED}
      order by received_at limit ${DELIVERIES} for update skip locked
    ), gone as (
      delete from raw_message m using picked p where m.org_id = ${orgId} and m.id = p.id returning 1
    ), contents as (
      delete from payload c using picked p where c.org_id = ${orgId} and c.message_id = p.id
    )
    select count(*) as removed from gone`.execute(db);
  return rows[0]!.removed;
}

export async function countDeliveries(db: Db, orgId: string, before: Date): Promise<number> {
  const { rows } = await sql<{ due: number }>`
    select count(*) as due from raw_message where org_id = ${orgId} and received_at < ${before} and ${ENDED}`.execute(
    db,
  );
  return rows[0]!.due;
}

export async function countBytes(db: Db, orgId: string, before: Date): Promise<PurgedBytes> {
  const { rows } = await sql<PurgedBytes>`
    select count(*) as deliveries, coalesce(sum(size), 0) as bytes from raw_message
    where org_id = ${orgId} and received_at < ${before} and bytes_purged_at is null and ${ENDED}`.execute(db);
  return rows[0]!;
}

export async function countReports(db: Db, orgId: string, before: Date) {
  const { rows } = await sql<{ reports: number; records: number; messages: number }>`
    select count(*) as reports, coalesce(sum(records), 0) as records, coalesce(sum(messages), 0) as messages
    from report where org_id = ${orgId} and received_at < ${before}`.execute(db);
  return rows[0]!;
}
