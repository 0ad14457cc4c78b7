import pg from 'pg';
import { APART, HANGING, KEYS, OWNED, VIEWS, type Catalog } from './partition-catalog.ts';

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
    const hanging = await readCatalog(client, HANGING, tables);
    for (const { drop } of await readCatalog(client, [VIEWS, KEYS], tables)) await client.query(drop);
    for (const table of tables) await splitTable(client, table, split);
    for (const { make } of hanging) await client.query(make);
    const left = await readCatalog(client, HANGING, tables);
    if (JSON.stringify(left) !== JSON.stringify(hanging)) throw new Error('something does not hang on as before');
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
  const settings = await settingsOf(client, old);
  for (let part = 0; part < parts; part += 1) {
    const of = `partition of ${table} for values with (modulus ${parts}, remainder ${part})`;
    const name = `${table}_${part}`;
    if (!BY_DAY.includes(table)) await client.query(`create table ${name} ${of} ${settings}`);
    else {
      await client.query(`create table ${name} ${of} partition by range (day)`);
      for (const range of rangesOf(name, days)) await client.query(`${range} ${settings}`);
    }
  }
  await client.query(`insert into ${table} select * from ${old}`);
  await client.query(`drop table ${old}`);
}

/** A partition for each range, and one for all other days. */
function rangesOf(name: string, days: readonly string[]): string[] {
  const ranges = days
    .slice(1)
    .map((end, i) => `create table ${name}_${i} partition of ${name} for values from ('${days[i]}') to ('${end}')`);
  return [...ranges, `create table ${name}_other partition of ${name} default`];
}

/** The fill factor and the like, which are those of a table with rows and are not copied. */
async function settingsOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ settings: string | null }>(
    `select array_to_string(reloptions, ', ') as settings from pg_class where oid = $1::regclass`,
    [table],
  );
  return rows[0]!.settings ? `with (${rows[0]!.settings})` : '';
}

async function readCatalog(
  client: pg.Client,
  queries: readonly string[],
  tables: readonly string[],
): Promise<Catalog[]> {
  const found: Catalog[] = [];
  for (const query of queries) found.push(...(await client.query<Catalog>(query, [tables])).rows);
  return found;
}
