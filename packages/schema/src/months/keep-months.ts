import type pg from 'pg';
import { Connection } from '../connection.ts';
import type { Database } from '../database.ts';
import { inLockedTransaction } from './locked-transaction.ts';
import { firstOf, monthlyTables, monthsFrom, type Month } from './monthly-tables.ts';
import { type Partition, partitionsOf } from './partitions-of.ts';
import { storageOf } from './table-catalog.ts';

/** A partition is dropped when it is empty this many months after its last day. */
const EMPTY_MONTHS = 1;
/** Live rows by the statistics, from which a partition is not searched for one. */
const MANY_ROWS = 10_000;
/** An empty partition of more bytes is vacuumed before it is locked, which cuts off the pages of its dead rows. */
const SMALL_BYTES = 8 * 1024 ** 2;

/** The partitions that were made and dropped. */
export interface KeptMonths {
  made: string[];
  dropped: string[];
}

/**
 * Makes the partitions of the next months of tables that are partitioned by month, and detaches and drops those of past
 * months that retention has left empty. Rows that the default partition has of a new month move into it. Takes the
 * statistics of the table over all partitions once a day, which autovacuum does not. Does nothing for a table that is
 * whole or partitioned in another way. May run in any number of processes; waits at most two seconds for a lock.
 *
 * @param signal Ends it, even inside a statement.
 * @throws the first fault, after everything else was tried; the next run does the rest
 */
export async function keepMonths(
  { pool }: Pick<Database, 'pool'>,
  today: string,
  signal?: AbortSignal,
): Promise<KeptMonths> {
  const kept: KeptMonths = { made: [], dropped: [] };
  const partitioned = await findPartitioned(pool);
  if (partitioned.length === 0) return kept;
  const faults: unknown[] = [];
  const attempt = (work: () => Promise<unknown>) => work().catch((fault: unknown) => faults.push(fault));
  await withUnlimited(pool, signal, async (client) => {
    for (const table of partitioned)
      await attempt(async () => {
        const parts = await partitionsOf(client, table);
        if (!parts.some(({ name }) => name === `${table}_other`)) return;
        for (const month of monthsFrom(table, today).filter((one) => !parts.some((part) => hasMonth(part, one))))
          await attempt(async () => (await make(client, table, month)) && kept.made.push(month.name));
        for (const { name } of parts.filter(({ to }) => to !== null && to <= firstOf(today, -EMPTY_MONTHS)))
          await attempt(async () => (await dropEmpty(client, table, name)) && kept.dropped.push(name));
        await attempt(async () => (await isAnalysisOld(client, table)) && (await client.query(`analyze ${table}`)));
      });
  });
  if (faults.length > 0 && !signal?.aborted) throw faults[0];
  return kept;
}

async function findPartitioned(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname::text as name from pg_class where oid = any($1::regclass[]) and relkind = 'p'`,
    [monthlyTables],
  );
  return rows.map(({ name }) => name);
}

/** Vacuum and statistics of large tables take longer than statements may; locks are waited for for a moment. */
async function withUnlimited(
  pool: pg.Pool,
  signal: AbortSignal | undefined,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  const cut = () => Connection.cut(client);
  signal?.addEventListener('abort', cut);
  Connection.setUnlimited(client, true);
  try {
    await client.query(`set statement_timeout = 0; set lock_timeout = '2s'`);
    await work(client);
  } finally {
    signal?.removeEventListener('abort', cut);
    const fault = await client.query('reset statement_timeout; reset lock_timeout').then(
      () => undefined,
      (error: Error) => error,
    );
    Connection.setUnlimited(client, false);
    client.release(fault);
  }
}

/** The partition of the past has all days until its end. */
function hasMonth({ name, from, to }: Partition, month: Month): boolean {
  return name === month.name || (from === null && to !== null && to >= month.to);
}

/** Returns false if another process has made it meanwhile. */
async function make(client: pg.ClientBase, table: string, { name, from, to }: Month): Promise<boolean> {
  const other = `${table}_other`;
  return await inLockedTransaction(client, async () => {
    await client.query(`lock table ${table} in share update exclusive mode`);
    if ((await partitionsOf(client, table)).some((part) => part.name === name)) return false;
    await client.query(`lock table ${other} in access exclusive mode`); // no row of the month may come after they moved
    await client.query(`create table ${name} (like ${table} including all) ${await storageOf(client, other)}`);
    await client.query(`with early as (delete from ${other} where day >= '${from}' and day < '${to}' returning *)
      insert into ${name} select * from early`);
    await client.query(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`);
    return true;
  });
}

/** Returns false if it has rows, or dead ones that cannot be cut off yet, or another process has dropped it. */
async function dropEmpty(client: pg.ClientBase, table: string, name: string): Promise<boolean> {
  if (!(await isEmpty(client, name))) return false;
  if ((await sizeOf(client, name)) > SMALL_BYTES) await client.query(`vacuum ${name}`);
  if ((await sizeOf(client, name)) > SMALL_BYTES) return false;
  return await inLockedTransaction(client, async () => {
    await client.query(`lock table ${table} in access exclusive mode`);
    const parts = await partitionsOf(client, table);
    if (!parts.some((part) => part.name === name) || !(await isEmpty(client, name))) return false;
    await client.query(`alter table ${table} detach partition ${name}`);
    await client.query(`drop table ${name}`);
    return true;
  });
}

async function isAnalysisOld(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ old: boolean }>(
    `select coalesce(last_analyze < now() - interval '1 day', true) as old from pg_stat_user_tables
     where relid = $1::regclass`,
    [table],
  );
  return rows[0]?.old === true;
}

async function isEmpty(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ empty: boolean }>(
    `select n_live_tup < ${MANY_ROWS} and not exists (select from ${name}) as empty from pg_stat_user_tables
     where relid = $1::regclass`,
    [name],
  );
  return rows[0]?.empty === true;
}

async function sizeOf(client: pg.ClientBase, name: string): Promise<number> {
  const { rows } = await client.query<{ size: number }>('select pg_relation_size($1::regclass) as size', [name]);
  return rows[0]?.size ?? 0;
}
