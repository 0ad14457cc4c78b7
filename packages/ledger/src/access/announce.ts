import { type Db, type Listener, onNotification } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import type pg from 'pg';

const CHANNEL = 'access_changed';

/**
 * Notifies every process that caches keys that access may have changed. Listeners are notified when the transaction
 * commits.
 */
export async function announceAccessChange(db: Db): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, '')`.execute(db);
}

/** Calls `changed` on every change of access, and whenever a change may have been missed. */
export function onAccessChange(pool: pg.Pool, changed: () => void): Listener {
  return onNotification(pool, CHANNEL, changed);
}
