import { replaceTables, storageOf } from '@dmarc-ledger/schema';
import pg from 'pg';

/** Tables without partitions: another column leads their key, or they are read before the organization is known. */
const APART: readonly string[] = ['outbox', 'ip_interest', 'app_user', 'api_key'];

/** The tables of organizations. */
const OWNED = `
  select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> all($1::text[]) order by 1`;

/** The number of partitions by organization, and the bounds of the ranges of days below them. */
export interface Split {
  parts: number;
  days: readonly string[];
}

/** They grow fastest: below the organization they are split by days. */
const BY_DAY: readonly string[] = ['stored_record', 'source_domain_day'];

/**
 * Partitions every table of organizations by a hash of the organization, and moves the rows, in one transaction, as an
 * operator would do by hand. Returns the names of the tables.
 */
export async function partitionByOrganization(databaseUrl: string, split: Split): Promise<string[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('begin');
    const tables = (await client.query<{ name: string }>(OWNED, [APART])).rows.map(({ name }) => name);
    await replaceTables(client, tables, (table) => splitTable(client, table, split));
    await client.query('commit');
    return tables;
  } finally {
    await client.end();
  }
}

/** Below the new table of the same name lie its partitions, with the rows. */
async function splitTable(client: pg.Client, table: string, { parts, days }: Split): Promise<void> {
  const old = `old_${table}`;
  await client.query(`alter table ${table} rename to ${old}`);
  await client.query(`create table ${table} (like ${old} including all) partition by hash (org_id)`);
  const settings = await storageOf(client, old);
  for (let part = 0; part < parts; part += 1) {
    const of = `partition of ${table} for values with (modulus ${parts}, remainder ${part})`;
    const name = `${table}_${part}`;
    if (!BY_DAY.includes(table)) await client.query(`create table ${name} ${of} ${settings}`);
    else {
      await client.query(`create table ${name} ${of} partition by range (day)`);
      for (const range of rangesOf(name, days)) await client.query(`${range} ${settings}`);
    }
  }
  const columns = await storedColumns(client, old);
  await client.query(`insert into ${table} (${columns}) select ${columns} from ${old}`);
  await client.query(`drop table ${old}`);
}

/** The columns that are written; the others are generated from them. */
async function storedColumns(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]!.names;
}

/** A partition for each range, and one for all other days. */
function rangesOf(name: string, days: readonly string[]): string[] {
  const ranges = days
    .slice(1)
    .map((end, i) => `create table ${name}_${i} partition of ${name} for values from ('${days[i]}') to ('${end}')`);
  return [...ranges, `create table ${name}_other partition of ${name} default`];
}
