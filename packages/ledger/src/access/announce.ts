import { type Db, type Listener, onNotification } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import type pg from 'pg';

const CHANNEL = 'access_changed';

/** Tells every process that remembers keys that what a key allows may have changed. Heard when the transaction commits. */
export async function announceAccessChange(db: Db): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, '')`.execute(db);
}

/** Calls back on every change of access, and whenever changes may have been missed. */
export function onAccessChange(pool: pg.Pool, changed: () => void): Listener {
  return onNotification(pool, CHANNEL, changed);
}
