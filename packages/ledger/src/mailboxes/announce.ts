import { type Db, type Listener, onNotification } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import type pg from 'pg';

const CHANNEL = 'mailboxes_changed';

/**
 * Notifies every ingester that mailboxes were added, removed or changed. Listeners are notified when the transaction
 * commits.
 */
export async function announceMailboxChange(db: Db): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, '')`.execute(db);
}

/** Calls `changed` when mailboxes have changed, and whenever a change may have been missed. */
export function onMailboxChange(pool: pg.Pool, changed: () => void): Listener {
  return onNotification(pool, CHANNEL, changed);
}
