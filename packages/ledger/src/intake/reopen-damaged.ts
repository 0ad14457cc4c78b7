import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

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
    .where('code', 'in', ['blob_damaged', 'blob_missing'])
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
