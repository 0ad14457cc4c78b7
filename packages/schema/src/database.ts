import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { Connection, KEEP_ALIVE, SERVER_KEEP_ALIVE } from './connection.ts';
import { GradualPool } from './gradual-pool.ts';
import { PreparingConnection } from './preparing-connection.ts';
import type { Tables } from './tables/tables.ts';
import { type Vitals, watchVitals } from './vitals.ts';

/** The database, or a transaction in it. */
export type Db = Kysely<Tables>;

/** An open database: queries through `db`, and the pool for uses that need a connection of their own (COPY, LISTEN). */
export interface Database {
  db: Db;
  pool: pg.Pool;
  /** Recent commit times and exhausted resources. */
  vitals: Vitals;
  /** Waits 2 seconds for connections in use, then closes them: their transactions are rolled back. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The most connections. */
  connections?: number;
  /** The server ends a statement that takes longer; if it does not respond, the connection is closed. */
  statementTimeoutMs?: number;
  applicationName?: string;
  /** Keeps statements prepared that come again: for connections that run the same few of them for long. */
  keepPrepared?: boolean;
  onError?: (error: Error) => void;
}

/** How long a caller waits for a connection. */
export const CONNECT_MS = 10_000;
/** How long closing waits for connections in use. */
const CLOSE_MS = 2_000;

const { builtins, getTypeParser } = pg.types;
const asText = (text: string) => text;
const asNumber = (text: string) => Number(text);

/** Counts are exact as numbers (reading refuses values beyond 2^53 - 1); days stay text, as they are not instants. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === builtins.INT8 || oid === builtins.NUMERIC) return asNumber;
    if (oid === builtins.DATE || oid === builtins.INET) return asText;
    return getTypeParser(oid, format);
  },
};

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const pool = new GradualPool({
    Client: options.keepPrepared ? PreparingConnection : Connection,
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: CONNECT_MS,
    maxLifetimeSeconds: 1800,
    ...KEEP_ALIVE,
    application_name: options.applicationName ?? 'dmarc-ledger',
    statement_timeout: options.statementTimeoutMs ?? 60_000,
    options:
      `-c timezone=UTC -c datestyle=ISO -c jit=off -c lock_timeout=30s -c idle_in_transaction_session_timeout=120s ` +
      SERVER_KEEP_ALIVE,
    types,
  });
  pool.on('error', (error: Error & { client?: unknown }) => {
    delete error.client; // it is the whole connection object, which does not belong into a log
    options.onError?.(error);
  });
  // A connection that ends while it is in use makes its next query fail; without a listener the event would end the
  // process.
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => open.add(client.on('error', () => undefined)));
  pool.on('remove', (client) => open.delete(client));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const close = async () => {
    const cutting = setTimeout(() => open.forEach((client) => Connection.cut(client)), CLOSE_MS);
    await db.destroy();
    if (!pool.ending) await pool.end(); // Kysely only ends a pool that it has used
    clearTimeout(cutting);
  };
  return { db, pool, vitals: watchVitals(), close };
}
