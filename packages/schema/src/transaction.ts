import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkSlices } from '@dmarc-ledger/vocabulary';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Connection } from './connection.ts';
import type { Database, Db } from './database.ts';
import { isStorageFailure } from './storage-failure.ts';
import type { Tables } from './tables/tables.ts';
import { isOverTotalLimit } from './total-limit-error.ts';
import type { Vitals } from './vitals.ts';

/** A statement that every connection keeps prepared under its name. */
export interface Statement {
  name: string;
  text: string;
  /**
   * Each of its look-ups names an order that the key delivers: a plan that sorts there is taken only if there is no
   * other, whatever the statistics say of the indexes.
   */
  inKeyOrder?: true;
}

/** One transaction on one connection: queries through `db`, prepared statements, rows by COPY. */
export interface Session {
  db: Db;
  run<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** Runs a statement without preparing it. */
  query: (text: string, values?: unknown[]) => Promise<void>;
  /** Sends rows in COPY's text format. */
  copy(target: string, lines: Iterable<string> | AsyncIterable<string>): Promise<void>;
}

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
      if (codeOf(error).startsWith('53')) vitals.exhausted();
      if (attempt >= TRIES || !isWorthAnotherTry(error)) throw error;
      vitals.retried(codeOf(error));
      await sleep((Math.random() + attempt) * PAUSE_MS * 2 ** attempt);
    }
  }
}

/** True for a temporary failure (deadlock, lost connection, restart) that is not caused by the work itself. */
function isWorthAnotherTry(error: unknown): boolean {
  return (isStorageFailure(error) && !NOT_AT_ONCE.test(codeOf(error))) || isOverTotalLimit(error);
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
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

/** Characters that are sent to COPY at a time: each piece is a message of its own. */
const PIECE = 65_536;

function sessionOn(client: pg.PoolClient): Session {
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(client) }) }),
    async run<Row extends pg.QueryResultRow>({ name, text, inKeyOrder }: Statement, values: unknown[]) {
      if (inKeyOrder) await client.query('set local enable_sort = off');
      const { rows } = await client.query<Row>({ name, text, values });
      if (inKeyOrder) await client.query('set local enable_sort = on');
      return rows;
    },
    async query(text, values = []) {
      await client.query(text, values);
    },
    async copy(target, lines) {
      const sink = client.query(copyFrom(`copy ${target} from stdin`));
      if (!(Symbol.iterator in lines)) return await pipeline(Readable.from(lines, { objectMode: false }), sink);
      const ended = finished(sink);
      ended.catch(() => undefined); // awaited below; an error before that must not crash the process
      const work = new WorkSlices();
      let piece = '';
      for (const chunk of lines) {
        piece += chunk;
        if (piece.length >= PIECE) {
          sink.write(piece); // all chunks are in memory already
          piece = '';
        }
        await work.pause();
      }
      sink.end(piece);
      await ended;
    },
  };
}

/** A pool of this one connection, so that Kysely's queries run inside its transaction. */
function poolOf(client: pg.PoolClient): PostgresPool {
  const borrowed = { query: client.query.bind(client), release: () => undefined } as PostgresPoolClient;
  return { options: {}, connect: async () => borrowed, end: async () => undefined };
}
