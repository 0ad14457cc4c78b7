import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import type { ExactFigures } from './exact-figures.ts';
import { applyMigrations } from './old-schema.ts';

/** A whole installation of an earlier version, small enough for a fixture. */
export interface KeptLedger {
  /** The first four digits of its last migration. */
  schema: string;
  /** The rows of each table, as the database writes them in JSON. */
  tables: { [name: string]: string };
  /** The files of its data folder beside the database, in base64. */
  files: { [path: string]: string };
  answers: Answers;
}

/** What the API answered, with which keys, and the cookie of a session. The installation is made for the fixture. */
interface Answers {
  figures: ExactFigures;
  /** That of the first start comes first. */
  keys: [string, ...string[]];
  cookie: string;
}

const TABLES = `
  select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migration' order by relname`;

/** Reads a ledger whose database runs, and whose services do not. */
export async function keepLedger(url: string, dataDir: string, answers: Answers): Promise<KeptLedger> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ last: string }>('select max(left(name, 4)) as last from schema_migration');
    const tables: KeptLedger['tables'] = {};
    for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
      const found = await client.query<{ rows: string | null }>(`select jsonb_agg(t)::text as rows from "${name}" t`);
      const text = found.rows[0]?.rows;
      if (text) tables[name] = text;
    }
    return { schema: rows[0]?.last ?? '', tables, files: await filesOf(dataDir), answers };
  } finally {
    await client.end();
  }
}

/** Makes the schema of its version in an empty database, and fills the database and the data folder. */
export async function restoreLedger({ schema, tables, files }: KeptLedger, url: string, dataDir: string) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await applyMigrations(client, schema);
    const names = (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => `"${name}"`);
    await client.query(`truncate ${names.join(', ')}; set session_replication_role = replica`);
    for (const [name, rows] of Object.entries(tables)) {
      const columns = await columnsOf(client, name);
      await client.query(
        `insert into "${name}" (${columns}) overriding system value
         select ${columns} from jsonb_populate_recordset(null::"${name}", $1)`,
        [rows],
      );
    }
    await client.query(SEQUENCES);
  } finally {
    await client.end();
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dataDir, path)), { recursive: true });
    await writeFile(join(dataDir, path), Buffer.from(content, 'base64'), { mode: 0o600 });
  }
}

export function readKeptLedger(path: string): KeptLedger {
  return JSON.parse(gunzipSync(readFileSync(path)).toString());
}

export function writeKeptLedger(path: string, ledger: KeptLedger): void {
  writeFileSync(path, gzipSync(JSON.stringify(ledger), { level: 9 }));
}

/** Every sequence continues after the greatest value of its column. */
const SEQUENCES = `
  do $$ declare s record; begin
    for s in select c.table_name t, c.column_name c, pg_get_serial_sequence(quote_ident(c.table_name), c.column_name) q
      from information_schema.columns c where c.table_schema = 'public'
    loop
      if s.q is not null then
        execute format('select setval(%L, greatest(1, (select coalesce(max(%I), 0) + 1 from %I)), false)', s.q, s.c, s.t);
      end if;
    end loop;
  end $$`;

/** The columns that can be written, as a list. */
async function columnsOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [`"${table}"`],
  );
  return rows.map(({ name }) => `"${name}"`).join(', ');
}

async function filesOf(dataDir: string): Promise<KeptLedger['files']> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const kept = paths.map((path) => relative(dataDir, path)).filter((path) => !/^postgres\/|\.pid$|lock/.test(path));
  const contents = kept.map(async (path) => [path, (await readFile(join(dataDir, path))).toString('base64')]);
  return Object.fromEntries(await Promise.all(contents));
}
