import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { emptyDatabase } from '@dmarc-ledger/testkit';
import pg from 'pg';
import { expect, it } from 'vitest';
import { getAll, getJson } from './support/api.ts';
import { runCommand } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';
import { startInstance } from './support/instance.ts';
import { makeCorpus } from './support/synthetic.ts';

const MIGRATIONS = join(import.meta.dirname, '..', 'migrations');
/** A ledger of that schema: reports of every kind, a mailbox, events, notifications, keys, scores (pg_dump). */
const HELD = join(import.meta.dirname, 'fixtures', 'ledger-0018.sql.gz');
const LAST = '0018';
/** The statistics that its API returned. */
const TOLD = {
  total_reports: 24,
  total_messages: 757_132,
  compliant_messages: 675_973,
  compliance_rate: 89.28,
  unique_source_ips: 41,
  unique_domains: 4,
  has_data: true,
};

/** Makes the schema as the version that ended with migration 0018 did, and fills it with what that version wrote. */
async function makeOldLedger(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(
      'create table schema_migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    );
    for (const path of globSync(join(MIGRATIONS, '*.sql')).toSorted()) {
      const name = basename(path);
      if (name.slice(0, 4) > LAST) continue;
      const sql = readFileSync(path, 'utf8');
      await client.query(sql);
      const sha256 = createHash('sha256').update(sql).digest('hex');
      await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256]);
    }
    const { rows } = await client.query<{ names: string }>(`
      select string_agg(format('%I', relname), ', ') as names from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migration'`);
    await client.query(`truncate ${rows[0]?.names}; set session_replication_role = replica`);
    await client.query(gunzipSync(readFileSync(HELD)).toString());
  } finally {
    await client.end();
  }
}

it('migrates a ledger of the first release with all its data, and continues to count', async () => {
  await using database = await emptyDatabase();
  using folder = temporaryFolder();
  await makeOldLedger(database.url);
  const dataDir = join(folder.path, 'data');
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY: '0123456789abcdef'.repeat(4),
    ENRICHMENT: 'off',
  };

  expect(await runCommand(['migrate'], env)).toMatchObject({ code: 0, stderr: '' });
  const audited = await runCommand(['audit', '--json'], env);
  expect(audited).toMatchObject({ code: 3, stderr: '' }); // the raw bytes are not part of the fixture
  expect(JSON.parse(audited.stdout)).toMatchObject([{ name: 'My organization', drift: 0, raw: { differing: [] } }]);
  expect(JSON.parse((await runCommand(['mailbox', 'list', '--json'], env)).stdout)).toHaveLength(1);

  const instance = await startInstance(dataDir, ['--no-samples'], env);
  const v1 = `${instance.apiUrl}/v1`;
  expect(await getJson(`${v1}/statistics`, instance.key)).toEqual(TOLD);
  const reports = await getAll(`${v1}/reports`, instance.key, 'reports');
  expect(reports).toHaveLength(TOLD.total_reports);
  expect(reports.reduce((sum, { total_messages: messages }) => sum + messages, 0)).toBe(TOLD.total_messages);

  const another = join(folder.path, 'another.xml');
  writeFileSync(another, makeCorpus(1, 77).files[0]!.bytes);
  expect(await runCommand(['ingest', another, '--org', 'My organization'], env)).toMatchObject({ code: 0, stderr: '' });
  expect(await getJson(`${v1}/statistics`, instance.key)).toMatchObject({ total_reports: TOLD.total_reports + 1 });
  expect(await instance.end('SIGTERM')).toBe(0);
});
