import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, type LogConfig, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { CONNECT_MS, type DatabaseOptions, type Db, openDatabase } from './database.ts';
import { FairTurns, LATE } from './fair-turns.ts';
import { apiRole, type Role } from './roles.ts';
import type { Tables } from './tables/tables.ts';

/** Connections that see the data of one organization at a time, with the rights of a role. */
export interface Reads {
  /** The database as one organization sees it: statements find no rows of others. (rules, api/organizations-apart) */
  of(orgId: string): Db;
  /** The number of connections, and of callers that wait for one. */
  load(): { connections: number; waiting: number };
  close(): Promise<void>;
}

export interface ReadsOptions extends DatabaseOptions {
  /** The role to read with. Default: that of the API. */
  role?: Role;
  /**
   * Called if the database user may not switch to the role: then, unless the user owns no tables, only the
   * statements themselves keep organizations apart.
   */
  onNoRole?: (error: Error) => void;
  /** Called for every statement. */
  log?: LogConfig;
}

/** Opens connections that use a role, for one organization at a time. Organizations take turns at them. */
export function openReads(
  url: string,
  { role = apiRole, onNoRole = () => {}, log, ...options }: ReadsOptions = {},
): Reads {
  const database = openDatabase(url, { ...options, keepPrepared: true });
  const { pool } = database;
  const turns = new FairTurns(pool.options.max, CONNECT_MS);
  const speaksFor = new WeakMap<pg.PoolClient, string>();

  /** A connection in its turn, which lasts until the connection is released. */
  async function connect(orgId: string): Promise<pg.PoolClient> {
    const end = performance.now() + CONNECT_MS;
    const hasWaited = await turns.take(orgId);
    try {
      const client = await connectFor(orgId, hasWaited ? end : undefined);
      const release = client.release.bind(client); // the pool makes another for each caller
      client.release = (fault) => {
        release(fault);
        turns.leave();
      };
      return client;
    } catch (error) {
      turns.leave();
      throw error;
    }
  }

  async function connectFor(orgId: string, end: number | undefined): Promise<pg.PoolClient> {
    const client = await (end === undefined ? pool.connect() : inTime(end, pool.connect()));
    const before = speaksFor.get(client);
    if (before === orgId) return client;
    try {
      if (before === undefined) await takeRole(client);
      await client.query(`select set_config('app.org_id', $1, false)`, [orgId]);
      speaksFor.set(client, orgId);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async function takeRole(client: pg.PoolClient): Promise<void> {
    await client.query(`set role ${role.name}`).catch((error: pg.DatabaseError) => {
      if (!NO_ROLE.has(error.code ?? '')) throw error;
      onNoRole(error);
    });
  }

  return {
    of(orgId) {
      const poolOf = { options: pool.options, connect: () => connect(orgId), end };
      return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf }), log });
    },
    load: () => ({ connections: pool.totalCount, waiting: turns.waiting + pool.waitingCount }),
    close: () => database.close(),
  };
}

/** A caller that has waited for its turn waits no longer in all than another does. */
async function inTime(end: number, connecting: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  const cancelling = new AbortController();
  const late = sleep(Math.max(0, end - performance.now()), undefined, cancelling).catch(() => undefined);
  const client = await Promise.race([connecting, late]).finally(() => cancelling.abort());
  if (client) return client;
  connecting.then((unused) => unused.release()).catch(() => undefined);
  throw new Error(LATE);
}

/** The role does not exist, or the user is not a member of it. */
const NO_ROLE = new Set(['22023', '42501']);

async function end(): Promise<void> {} // the pool is shared by all organizations
