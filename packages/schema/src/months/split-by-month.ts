import { errorCode } from '@dmarc-ledger/vocabulary';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SplitError } from '../errors.ts';
import { inLockedTransaction } from './locked-transaction.ts';
import { lockWithViews, replaceTables, storageOf } from './table-catalog.ts';
import { firstOf, monthlyTables, monthsFrom } from './monthly-tables.ts';

/** Between tries, statements that waited for the table pass. */
const TRIES = 30;
const PAUSE_MS = 2_000;
/** The lock was not free in time, or another transaction waits for what this one holds. */
const BUSY = ['55P03', '40P01'];

/** Each table that can be partitioned by month, and whether it was before. */
export interface SplitTable {
  table: string;
  wasSplit: boolean;
}

/**
 * Partitions the tables that grow fastest by month, each in a transaction of its own; run again after an interruption,
 * it does the rest. No row is rewritten but those dated after the current month: the table becomes the partition of all
 * days until then. While PostgreSQL reads through it twice, nothing else can use the table or the details of records.
 *
 * @param today The first partition of its own is that of the month after this day.
 * @throws {SplitError} `table_busy` when other transactions keep a table for two minutes, `not_owner` for a user who
 *   does not own it
 */
export async function splitByMonth(databaseUrl: string, today: string): Promise<SplitTable[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // a lost connection makes the query fail; without a listener it ends the process
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    const done: SplitTable[] = [];
    for (const table of monthlyTables) {
      const wasSplit = await isSplit(client, table);
      if (!wasSplit) {
        await expectOwner(client, table);
        await splitTable(client, table, today);
      }
      done.push({ table, wasSplit });
    }
    return done;
  } finally {
    await client.end();
  }
}

async function isSplit(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ kind: string }>(
    'select relkind as kind from pg_class where oid = $1::regclass',
    [table],
  );
  return rows[0]?.kind === 'p';
}

async function splitTable(client: pg.Client, table: string, today: string): Promise<void> {
  await validateChecks(client, table);
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await trySplit(client, table, today)) return;
    await sleep(PAUSE_MS);
  }
  throw new SplitError('table_busy', `Other transactions keep ${table} busy. Stop the services, and try again.`);
}

/** The new table would belong to another user, as which the services could not keep it. */
async function expectOwner(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ owner: string; user: string }>(
    `select pg_get_userbyid(relowner)::text as owner, current_user::text as user
     from pg_class where oid = $1::regclass`,
    [table],
  );
  const [found] = rows;
  if (found && found.owner !== found.user)
    throw new SplitError('not_owner', `${table} belongs to ${found.owner}. Use the DATABASE_URL of the services.`);
}

/** A partition must have proved what its table demands; a check that was added later may not have been. */
async function validateChecks(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select conname::text as name from pg_constraint where conrelid = $1::regclass and not convalidated`,
    [table],
  );
  for (const { name } of rows) await client.query(`alter table ${table} validate constraint ${name}`);
}

/** Returns false, and changes nothing, if the table could not be locked. */
async function trySplit(client: pg.Client, table: string, today: string): Promise<boolean> {
  try {
    await inLockedTransaction(client, async () => {
      await lockWithViews(client, table);
      const isNew = !(await isSplit(client, table)); // another process may have been first
      if (isNew) await replaceTables(client, [table], () => partition(client, table, today));
    });
    return true;
  } catch (error) {
    if (BUSY.includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

async function partition(client: pg.Client, table: string, today: string): Promise<void> {
  const history = `${table}_history`;
  const until = firstOf(today, 1);
  await client.query(`alter table ${table} rename to ${history}`);
  const indexes = await indexNames(client, history);
  for (const name of indexes) await client.query(`alter index ${name} rename to ${historyOf(name)}`);
  await client.query(`create table ${table} (like ${history} including all) partition by range (day)`);
  const storage = await storageOf(client, history);
  await client.query(`create table ${table}_other partition of ${table} default ${storage}`);
  for (const { name, from, to } of monthsFrom(table, until).slice(0, -1))
    await client.query(
      `create table ${name} partition of ${table} for values from ('${from}') to ('${to}') ${storage}`,
    );
  await client.query(`with late as (delete from ${history} where day >= '${until}' returning *)
    insert into ${table} select * from late`);
  await client.query(`alter table ${table} attach partition ${history} for values from (minvalue) to ('${until}')`);
  for (const name of indexes) await nameAsBefore(client, name);
}

async function indexNames(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = $1::regclass order by 1`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** The index over all partitions takes the name that later migrations know. */
async function nameAsBefore(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ parent: string }>(
    'select inhparent::regclass::text as parent from pg_inherits where inhrelid = $1::regclass',
    [historyOf(name)],
  );
  const [index] = rows;
  if (!index) throw new Error(`The index ${name} is not part of the partitioned table.`);
  if (index.parent !== name) await client.query(`alter index ${index.parent} rename to ${name}`);
}

function historyOf(index: string): string {
  return `${index}_history`;
}
