import type pg from 'pg';

/** Every other statement on a table waits behind the one that waits for its lock. */
const LOCK_WAIT = '2s';

/** Runs work in a transaction that waits at most two seconds for a lock, and changes nothing if it fails. */
export async function inLockedTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  try {
    await client.query(`begin; set local lock_timeout = '${LOCK_WAIT}'`);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // of a lost connection, the server rolls back
    throw error;
  }
}
