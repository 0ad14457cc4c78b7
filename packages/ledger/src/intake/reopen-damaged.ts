import type { Db, Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** The codes of a delivery whose stored bytes could not be read. */
export const BYTES_CODES = ['blob_damaged', 'blob_missing'];

/**
 * Queues deliveries again whose stored bytes were missing or damaged when they were read: the same content has arrived
 * again and replaced the bytes.
 */
export async function reopenDamaged(db: Db, orgId: string, sha256s: readonly Buffer[]): Promise<void> {
  await db
    .updateTable('raw_message')
    .set({ state: 'received', attempts_started: 0, claimed_by: null, code: null, parts: null, finished_at: null })
    .where('org_id', '=', orgId)
    .where('sha256', '=', sql<Buffer>`any(${sha256s})`)
    .where('state', '=', 'refused')
    .where('code', 'in', BYTES_CODES)
    .execute();
}

/**
 * Queues deliveries again that were refused or held, in whole or in part, and whose bytes retention has deleted: the
 * same content has arrived again, and nothing else could have them read again.
 */
export async function reopenPurged(db: Db, orgId: string, sha256s: readonly Buffer[]): Promise<void> {
  await db
    .updateTable('raw_message')
    .set({ state: 'received', attempts_started: 0, bytes_purged_at: null })
    .where('org_id', '=', orgId)
    .where('sha256', '=', sql<Buffer>`any(${sha256s})`)
    .where('bytes_purged_at', 'is not', null)
    .where('code', 'is not', null)
    .where('header_only', '=', false)
    .execute();
}

/** Locks deliveries until the transaction ends: the same content that arrives waits for how they end. */
export async function holdDeliveries({ db }: Session, orgId: string, ids: readonly string[]): Promise<void> {
  await db
    .selectFrom('raw_message')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('sha256')
    .forNoKeyUpdate()
    .execute();
}
