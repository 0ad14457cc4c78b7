import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startLocalPostgres } from '@dmarc-ledger/local-postgres';
import { emptyDatabase } from '@dmarc-ledger/testkit';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { getAll, getJson } from './support/api.ts';
import { openCommandHost, runCommand } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';
import { startInstance } from './support/instance.ts';
import { exactFigures, lostValues } from './support/exact-figures.ts';
import { readKeptLedger, restoreLedger } from './support/kept-ledger.ts';
import { applyMigrations } from './support/old-schema.ts';
import { opensPages } from './support/sign-in-cookie.ts';
import { makeCorpus } from './support/synthetic.ts';

const host = openCommandHost();
afterAll(() => host[Symbol.dispose]());

/** A ledger of that schema: reports of every kind, a mailbox, events, notifications, keys, scores (pg_dump). */
const DUMP = join(import.meta.dirname, 'fixtures', 'ledger-0018.sql.gz');
const LAST = '0018';
/** The statistics that its API returned. */
const RETURNED = {
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
    await applyMigrations(client, LAST);
    const { rows } = await client.query<{ names: string }>(`
      select string_agg(format('%I', relname), ', ') as names from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migration'`);
    await client.query(`truncate ${rows[0]?.names}; set session_replication_role = replica`);
    await client.query(gunzipSync(readFileSync(DUMP)).toString());
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
  const audited = await host.run(['audit', '--json'], env);
  expect(audited).toMatchObject({ code: 3, stderr: '' }); // the raw bytes are not part of the fixture
  expect(JSON.parse(audited.stdout)).toMatchObject([{ name: 'My organization', drift: 0, raw: { differing: [] } }]);
  expect(JSON.parse((await host.run(['mailbox', 'list', '--json'], env)).stdout)).toHaveLength(1);

  const instance = await startInstance(dataDir, ['--no-samples'], env);
  const v1 = `${instance.apiUrl}/v1`;
  expect(await getJson(`${v1}/statistics`, instance.key)).toEqual(RETURNED);
  const reports = await getAll(`${v1}/reports`, instance.key, 'reports');
  expect(reports).toHaveLength(RETURNED.total_reports);
  expect(reports.reduce((sum, { total_messages: messages }) => sum + messages, 0)).toBe(RETURNED.total_messages);

  const another = join(folder.path, 'another.xml');
  writeFileSync(another, makeCorpus(1, 77).files[0]!.bytes);
  expect(await host.run(['ingest', another, '--org', 'My organization'], env)).toMatchObject({ code: 0, stderr: '' });
  expect(await getJson(`${v1}/statistics`, instance.key)).toMatchObject({ total_reports: RETURNED.total_reports + 1 });
  expect(await instance.end('SIGTERM')).toBe(0);
});

/** The installation of the last release: its database, its raw bytes, its key (`scripts/keep-ledger.ts`). */
const LAST_RELEASE = join(import.meta.dirname, 'fixtures/ledger-0031.json.gz');
/** Nothing outside of this machine is asked, and nothing is too old to be kept. */
const QUIET = {
  DNS_SERVERS: '127.0.0.1:9',
  ALLOW_PRIVATE_ADDRESSES: 'on',
  ENRICHMENT: 'off',
  RETENTION_DAYS: 'none',
  RAW_RETENTION_DAYS: 'none',
  FAILURE_REPORT_RETENTION_DAYS: 'none',
};

it('starts on the data folder of the last release: same figures, clean audit, its keys and sessions work', async () => {
  using folder = temporaryFolder();
  const DATA_DIR = join(folder.path, 'data');
  const env = { ...QUIET, DATA_DIR };
  const kept = readKeptLedger(LAST_RELEASE);
  const { figures, cookie, keys } = kept.answers;
  const server = await startLocalPostgres({ dataDir: join(DATA_DIR, 'postgres') });
  await restoreLedger(kept, server.url, DATA_DIR);
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query("update session set expires_at = now() + interval '1 day', last_seen_at = now()");
  await client.end();
  await server.stop();

  const instance = await startInstance(DATA_DIR, [], env);
  try {
    expect(instance.key).toBe(keys[0]);
    for (const key of keys) {
      const now = await exactFigures(instance.apiUrl, key);
      expect(now.reports.length).toBeGreaterThan(20);
      expect(lostValues(figures, now)).toEqual([]);
    }
    expect(await opensPages(instance.apiUrl, cookie)).toBe(true);
    expect(await opensPages(instance.apiUrl, `${cookie}x`)).toBe(false);
    expect(await host.run(['audit'], env)).toMatchObject({ code: 0, stderr: '' });
    const [mailbox] = JSON.parse((await host.run(['mailbox', 'list', '--json'], env)).stdout);
    const tested = await host.run(['mailbox', 'test', mailbox.id], env); // its password can be opened
    expect(tested.stderr).toContain('No connection: no server accepts connections at ');

    const another = join(folder.path, 'another.xml');
    writeFileSync(another, makeCorpus(1, 77).files[0]!.bytes);
    const taken = await host.run(['ingest', another, '--org', 'My organization'], env);
    expect(taken).toMatchObject({ code: 0, stderr: '' });
    const later = await exactFigures(instance.apiUrl, instance.key);
    expect(later.reports).toHaveLength(figures.reports.length + 1);
    expect(lostValues(figures, later)).not.toEqual([]); // a difference is seen
    expect(await host.run(['audit'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await instance.end('SIGTERM')).toBe(0);
  } finally {
    await instance.end('SIGKILL');
    await host.run(['migrate', '--status'], env); // the last one out stops the database
  }
});
