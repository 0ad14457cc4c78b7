import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../database.ts';
import { onNotification, type Listener } from '../listen.ts';

const CHANNEL = 'access_changed';

/** Tells every process that remembers keys that what a key allows may have changed. Heard when the transaction commits. */
export async function announceAccessChange(db: Db): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, '')`.execute(db);
}

/** Calls back on every change of access, and whenever changes may have been missed. */
export function onAccessChange(pool: pg.Pool, changed: () => void): Listener {
  return onNotification(pool, CHANNEL, changed);
}
