import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { applyMigration, type Migration } from './apply-migration.ts';
import { normalizeAddresses } from './normalize-addresses.ts';
import { prepareRoles } from './prepare-roles.ts';
import type { Db } from './database.ts';
import { MigrationError } from './errors.ts';

const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));
const LOCK = 7_346_001; // an arbitrary number, equal in every process, so that one migrator runs at a time

export interface MigrationStatus {
  /** Names, in order. */
  applied: string[];
  pending: string[];
}

/** Migrates the schema to this version. Throws if a newer version has migrated it. */
export async function migrate(databaseUrl: string): Promise<MigrationStatus> {
  return await withClient(databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    const { applied, pending } = await compare(client);
    for (const migration of pending) {
      await applyMigration(client, migration);
      applied.push(migration.name);
    }
    await normalizeAddresses(client);
    await prepareRoles(client);
    return { applied, pending: [] };
  });
}

/** Returns the applied and the pending migrations, without changing anything. */
export async function migrationStatus(databaseUrl: string): Promise<MigrationStatus> {
  return await withClient(databaseUrl, async (client) => {
    const { applied, pending } = await compare(client);
    return { applied, pending: pending.map(({ name }) => name) };
  });
}

let ours: Promise<Migration[]> | undefined;

/**
 * Whether all migrations of this version are applied unchanged: one small statement, for frequent calls. Migrations of
 * a newer version do not matter to a running process; a starting one refuses them.
 */
export async function isMigrated(db: Db): Promise<boolean> {
  ours ??= readMigrations();
  ours.catch(() => (ours = undefined));
  const known = await ours;
  const list = JSON.stringify(known.map(({ name, sha256 }) => ({ name, sha256 })));
  const { rows } = await sql<{ missing: number }>`
    select count(*) as missing from json_to_recordset(${list}::json) as k (name text, sha256 text)
    where not exists (select from schema_migration m where m.name = k.name and m.sha256 = k.sha256)`.execute(db);
  return rows[0]!.missing === 0;
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).toSorted();
  return await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${FOLDER}/${name}`, 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function compare(client: pg.Client): Promise<{ applied: string[]; pending: Migration[] }> {
  await client.query(
    `create table if not exists schema_migration (
       name text primary key, sha256 text not null, applied_at timestamptz not null default now())`,
  );
  const known = await readMigrations();
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration order by name',
  );
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const { name, sha256 } of rows) {
    const migration = byName.get(name);
    if (!migration)
      throw new MigrationError(
        'schema_newer',
        `The database has ${name}, which this version does not know. Use the newer version.`,
      );
    if (migration.sha256 !== sha256)
      throw new MigrationError(
        'migration_changed',
        `${name} differs from what was applied to this database. Use the release that applied it, or a newer one.`,
      );
  }
  const done = new Set(rows.map(({ name }) => name));
  return { applied: [...done], pending: known.filter(({ name }) => !done.has(name)) };
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // a lost connection makes the query fail; without a listener it ends the process
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
