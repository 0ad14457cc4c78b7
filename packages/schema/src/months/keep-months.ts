import type pg from 'pg';
import type { Database } from '../database.ts';
import { firstOf, monthlyTables, monthsFrom, type Month } from './monthly-tables.ts';
import { storageOf } from './table-catalog.ts';

/** A partition is dropped when it is empty this many months after its last day. */
const EMPTY_MONTHS = 1;
/** Statements on the table wait behind the one that waits for its lock. */
const LOCK_WAIT = '2s';

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
 * @throws if a table is locked for longer; the next run does the rest
 */
export async function keepMonths({ pool }: Pick<Database, 'pool'>, today: string): Promise<KeptMonths> {
  const kept: KeptMonths = { made: [], dropped: [] };
  const client = await pool.connect();
  try {
    for (const table of monthlyTables) {
      const parts = await partitionsOf(client, table);
      if (!parts.some(({ name }) => name === `${table}_other`)) continue;
      const missing = monthsFrom(table, today).filter((month) => !parts.some((part) => hasMonth(part, month)));
      for (const month of missing) if (await make(client, table, month)) kept.made.push(month.name);
      const past = parts.filter(({ to }) => to !== null && to <= firstOf(today, -EMPTY_MONTHS));
      for (const { name } of past) if (await dropEmpty(client, table, name)) kept.dropped.push(name);
      if (await isAnalysisOld(client, table)) await client.query(`analyze ${table}`);
    }
  } finally {
    client.release();
  }
  return kept;
}

interface Partition {
  name: string;
  /** Its first day; null for the partition of the past, and for that of all other days. */
  from: string | null;
  /** The first day after its last; null for the partition of all other days. */
  to: string | null;
}

async function partitionsOf(client: pg.ClientBase, table: string): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select c.relname::text as name, substring(pg_get_expr(c.relpartbound, c.oid) from $$FROM \\('(.*?)'\\)$$) as from,
       substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \\('(.*?)'\\)$$) as to
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1`,
    [table],
  );
  return rows;
}

/** The partition of the past has all days until its end. */
function hasMonth({ name, from, to }: Partition, month: Month): boolean {
  return name === month.name || (from === null && to !== null && to >= month.to);
}

/** Returns false if another process has made it meanwhile. */
async function make(client: pg.ClientBase, table: string, { name, from, to }: Month): Promise<boolean> {
  return await inTransaction(client, async () => {
    await client.query(`lock table ${table} in share update exclusive mode`);
    if ((await partitionsOf(client, table)).some((part) => part.name === name)) return false;
    await client.query(
      `create table ${name} (like ${table} including all) ${await storageOf(client, `${table}_other`)}`,
    );
    await client.query(`with early as (delete from ${table}_other where day >= '${from}' and day < '${to}' returning *)
      insert into ${name} select * from early`);
    await client.query(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`);
    return true;
  });
}

/** Returns false if it has rows, or another process has dropped it meanwhile. */
async function dropEmpty(client: pg.ClientBase, table: string, name: string): Promise<boolean> {
  if (!(await isEmpty(client, name))) return false;
  return await inTransaction(client, async () => {
    await client.query(`lock table ${table} in access exclusive mode`);
    const parts = await partitionsOf(client, table);
    if (!parts.some((part) => part.name === name) || !(await isEmpty(client, name))) return false;
    await client.query(`alter table ${table} detach partition ${name}`);
    await client.query(`drop table ${name}`);
    return true;
  });
}

async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
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

async function isAnalysisOld(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ old: boolean }>(
    `select coalesce(last_analyze < now() - interval '1 day', true) as old from pg_stat_user_tables
     where relid = $1::regclass`,
    [table],
  );
  return rows[0]?.old === true;
}

async function isEmpty(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(`select exists (select from ${name}) as exists`);
  return rows[0]?.exists === false;
}
