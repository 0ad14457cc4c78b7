import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '@dmarc-ledger/vocabulary';
import type pg from 'pg';
import { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { sessionOn, type Session } from './session.ts';
import { isStorageFailure } from './storage-failure.ts';
import { isOverTotalLimit } from './total-limit-error.ts';
import type { Vitals } from './vitals.ts';

export interface TransactOptions {
  /** Lifts the statement timeout, for work that is bounded otherwise. */
  unlimited?: boolean;
  /** Ends the transaction when aborted, even inside a statement: it is rolled back, and rejects with the reason. */
  signal?: AbortSignal | undefined;
}

/**
 * There are few statements that write, and each finds its rows by a key: they are planned once for each connection, and
 * again when the statistics have changed.
 */
const BEGIN = 'begin; set local plan_cache_mode = force_generic_plan';
const TRIES = 5;
/** Full disks or memory, and slow statements: an immediate retry makes it worse. */
const NOT_AT_ONCE = /^(?:53|57014)/;
const PAUSE_MS = 20;

/**
 * Runs the work in a transaction, and runs it again from the start when PostgreSQL or the connection failed. A
 * connection lost during the commit leaves its outcome unknown: running the work a second time must change nothing.
 */
export async function transact<T>(
  { pool, vitals }: Database,
  work: (session: Session) => Promise<T>,
  options: TransactOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(pool, vitals, work, options);
    } catch (error) {
      const code = errorCode(error) ?? '';
      if (code.startsWith('53')) vitals.exhausted();
      if (attempt >= TRIES || !isWorthAnotherTry(error)) throw error;
      vitals.retried(code);
      await sleep((Math.random() + attempt) * PAUSE_MS * 2 ** attempt);
    }
  }
}

/** True for a temporary failure (deadlock, lost connection, restart) that is not caused by the work itself. */
function isWorthAnotherTry(error: unknown): boolean {
  return (isStorageFailure(error) && !NOT_AT_ONCE.test(errorCode(error) ?? '')) || isOverTotalLimit(error);
}

async function once<T>(
  pool: pg.Pool,
  vitals: Vitals,
  work: (session: Session) => Promise<T>,
  { unlimited, signal }: TransactOptions,
): Promise<T> {
  signal?.throwIfAborted();
  const client = await pool.connect();
  let failed: Error | undefined;
  const cut = () => Connection.cut(client);
  signal?.addEventListener('abort', cut);
  if (unlimited) Connection.setUnlimited(client, true);
  try {
    signal?.throwIfAborted(); // while it waited for the connection
    await client.query(unlimited ? `${BEGIN}; set local statement_timeout = 0` : BEGIN);
    const result = await work(sessionOn(client));
    const begun = performance.now();
    await client.query('commit');
    vitals.committed(performance.now() - begun);
    return result;
  } catch (error) {
    failed = await rollback(client, error);
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cut);
    Connection.setUnlimited(client, false);
    client.release(failed);
  }
}

/** Returns the error to close the connection for, or undefined if it is clean again. */
async function rollback(client: pg.PoolClient, cause: unknown): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error('rollback failed', { cause });
  }
}
