import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, failureReason } from '@dmarc-ledger/vocabulary';
import type pg from 'pg';
import { MigrationError } from './errors.ts';

export interface Migration {
  name: string;
  sql: string;
  sha256: string;
}

/**
 * How long a migration waits for each lock, one try after the other. While it waits, every later statement on the table
 * waits behind it, and those of running processes fail after 30 s: it gives way to a long transaction and comes again.
 */
const LOCK_WAITS_S = [2, 2, 2, 5, 5, 10, 10, 20, 20, 20];
const PAUSE_MS = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/**
 * Applies a migration in one transaction. Where running processes and it have waited for each other, they would at each
 * try, as its statements do not lock the tables in the order in which reports are stored: then it locks all of them
 * first.
 * @throws {MigrationError} `migration_failed`
 */
export async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  let locksFirst = false;
  for (const seconds of LOCK_WAITS_S) {
    const outcome = await applyWithin(client, migration, { seconds, locksFirst });
    if (outcome === 'applied') return;
    locksFirst ||= outcome === 'deadlocked';
    await sleep(PAUSE_MS);
  }
  const cause = 'other transactions have held a table that it changes for minutes';
  const advice = 'Stop the processes of the old version, or wait for their work to end, and migrate again.';
  throw new MigrationError('migration_failed', `${migration.name} could not be applied: ${cause}. ${advice}`);
}

/** Nothing has changed unless it was applied. */
async function applyWithin(
  client: pg.Client,
  { name, sql, sha256 }: Migration,
  { seconds, locksFirst }: { seconds: number; locksFirst: boolean },
): Promise<'applied' | 'locked' | 'deadlocked'> {
  try {
    await client.query(`begin; set local lock_timeout = '${seconds}s'`);
    if (locksFirst) await lockTablesOf(client, sql);
    await client.query(sql);
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256]);
    await client.query('commit');
    return 'applied';
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // of a lost connection, the server rolls back
    if (errorCode(error) === LOCK_NOT_AVAILABLE) return 'locked';
    if (errorCode(error) === DEADLOCK) return 'deadlocked';
    throw new MigrationError('migration_failed', `${name} could not be applied: ${failureReason(error)}`, {
      cause: error,
    });
  }
}

/** Locks the tables that the statements of a migration name. */
async function lockTablesOf(client: pg.Client, sql: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
     and relname = any($1) order by 1`,
    [[...new Set(sql.replaceAll(/--.*$/gm, '').match(/\w+/g))]],
  );
  if (rows.length > 0) await client.query(`lock table ${rows.map(({ name }) => name).join(', ')}`);
}
