import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type pg from 'pg';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');

/** Makes the schema as the version did whose last migration had this number, such as `0018`. */
export async function applyMigrations(client: pg.Client, last: string): Promise<void> {
  await client.query(
    'create table schema_migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  );
  for (const path of globSync(join(MIGRATIONS, '*.sql')).toSorted()) {
    const name = basename(path);
    if (name.slice(0, 4) > last) continue;
    const sql = readFileSync(path, 'utf8');
    await client.query(sql);
    const sha256 = createHash('sha256').update(sql).digest('hex');
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256]);
  }
}
