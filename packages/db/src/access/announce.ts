import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../database.ts';

const CHANNEL = 'access_changed';
const RETRY_MS = 5_000;

/** Tells every process that remembers keys that what a key allows may have changed. Heard when the transaction commits. */
export async function announceAccessChange(db: Db): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, '')`.execute(db);
}

/**
 * Calls back on every change of access, and whenever changes may have been missed (the connection was lost).
 * Holds one connection of the pool until it is stopped.
 */
export function onAccessChange(pool: pg.Pool, changed: () => void): { stop(): Promise<void> } {
  let stopped = false;
  let client: pg.PoolClient | undefined;
  let retry: NodeJS.Timeout | undefined;

  function lost(): void {
    const broken = client;
    client = undefined;
    broken?.removeAllListeners('notification');
    broken?.release(true);
    changed();
    if (stopped || retry) return; // an end is told by the query under way, too
    retry = setTimeout(() => {
      retry = undefined;
      void listen();
    }, RETRY_MS).unref();
  }

  async function listen(): Promise<void> {
    try {
      const connected = await pool.connect();
      if (stopped) return connected.release(true);
      client = connected;
      connected.on('notification', changed);
      connected.on('error', () => client === connected && lost());
      connected.once('end', () => client === connected && lost());
      await connected.query(`listen ${CHANNEL}`);
      changed(); // what changed before, nobody heard
    } catch {
      lost();
    }
  }

  const listening = listen();
  return {
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await listening;
      const last = client;
      client = undefined;
      last?.release(true);
    },
  };
}
