import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  cloneDatabase,
  type ClonedDatabase,
  emptyDatabase,
  mariadbServer,
  type MariadbServer,
} from '@dmarc-ledger/testkit';
import { parseId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openCommandHost, startCommand } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { dmarcSrg, dmarcts, parsedmarcTables } from '../../../test/support/peers/databases.ts';
import { messagesOf, peerReport, sentXml } from '../../../test/support/peers/kept-reports.ts';
import { fileOf, parsedmarcFiles } from '../../../test/support/peers/parsedmarc-files.ts';
import { jsonOf } from '../../../test/support/json-of.ts';

const REPORTS = Number(process.env['IMPORTED_REPORTS'] ?? 12);

const folder = temporaryFolder();
const host = openCommandHost();
let database: ClonedDatabase;
let mariadb: MariadbServer;

beforeAll(async () => {
  [database, mariadb] = await Promise.all([cloneDatabase(), mariadbServer()]);
});
afterAll(async () => {
  host[Symbol.dispose]();
  await mariadb.stop();
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const env = () => ({ DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'error' });

const json = (args: string[], more: { [name: string]: string } = {}) =>
  jsonOf(host.run([...args, '--json'], { ...env(), ...more }));

async function organization(name: string): Promise<string> {
  return (await json(['org', 'create', `${name} ${randomUUID()}`])).id;
}

/** What counts, by what proves it, and the rows that drift. */
async function audited(org: string) {
  const [{ messages, drift }] = await json(['audit', '--org', org]);
  return { proven: messages.proven, imported: messages.imported, drift };
}

async function postgres(statements: Iterable<string>): Promise<string> {
  const { url } = await emptyDatabase();
  const client = new pg.Client(url);
  await client.connect();
  await client.query("set time zone 'UTC'");
  for (const statement of statements) await client.query(statement);
  await client.end();
  return url;
}

async function fileWith(name: (typeof parsedmarcFiles)[number], reports = REPORTS): Promise<string> {
  const path = join(folder.path, `${reports}-${name}`);
  await pipeline(fileOf(name, reports), createWriteStream(path));
  return path;
}

const inDatabase = (tool: string, url: string, ...more: string[]) => ({
  args: [tool, '--database-env', 'SOURCE_URL', ...more],
  env: { SOURCE_URL: url },
});

/** Each source, and the share of its reports that have what the reporter sent. */
const sources: [string, () => Promise<{ args: string[]; env?: { [name: string]: string } }>, boolean][] = [
  ...parsedmarcFiles.map((name): (typeof sources)[number] => [
    `parsedmarc ${name}`,
    async () => ({ args: ['parsedmarc', await fileWith(name)] }),
    false,
  ]),
  [
    'dmarcts-report-parser on MariaDB',
    async () => inDatabase('dmarcts', await mariadb.createDatabase('dmarcts', dmarcts('mysql', REPORTS))),
    true,
  ],
  [
    'dmarcts-report-parser on PostgreSQL',
    async () => inDatabase('dmarcts', await postgres(dmarcts('postgres', REPORTS))),
    true,
  ],
  [
    'dmarc-srg on MariaDB',
    async () => inDatabase('dmarc-srg', await mariadb.createDatabase('srg', dmarcSrg(REPORTS, 'x_')), '--prefix', 'x_'),
    false,
  ],
  [
    'dmarc-srg on PostgreSQL',
    async () => inDatabase('dmarc-srg', await postgres(dmarcSrg(REPORTS, 'x_', true)), '--prefix', 'x_'),
    false,
  ],
  [
    'parsedmarc on PostgreSQL',
    async () => inDatabase('parsedmarc-database', await postgres(parsedmarcTables(REPORTS))),
    false,
  ],
];

it.each(sources)(
  'an import of %s is exact, and changes nothing when it runs again',
  async (name, open, isHalfRaw) => {
    const org = await organization(name);
    const source = await open();
    const args = ['import', ...source.args, '--org', org];
    const raw = isHalfRaw ? Math.ceil(REPORTS / 2) : 0;
    const found = { rebuilt: REPORTS - raw, raw, unreadable: [] };
    expect(await json([...args, '--dry-run'], source.env)).toMatchObject({ dry_run: true, ...found, received: 0 });
    expect(await json([...args, '--count'], source.env)).toMatchObject({
      ...found,
      stored: REPORTS,
      held: 0,
      refused: 0,
    });
    const proven = isHalfRaw
      ? Array.from({ length: raw }, (_, i) => 2 * i + 2).reduce((sum, each) => sum + each, 0)
      : 0;
    const figures = { proven, imported: messagesOf(REPORTS) - proven, drift: 0 };
    expect(await audited(org)).toEqual(figures);
    expect(await json([...args, '--dry-run'], source.env)).toMatchObject({ ...found, received: REPORTS });
    expect(await json(args, source.env)).toMatchObject({ ...found, stored: 0, duplicates: REPORTS, held: 0 });
    expect(await audited(org)).toEqual(figures);
  },
  3_600_000,
);

it('an import is held, says how it is released, and mail and files count in its place', async () => {
  const org = await organization('held');
  const other = await organization('other');
  const path = await fileWith('aggregate.json');
  const held = await host.run(['import', 'parsedmarc', path, '--org', org], env());
  expect(held).toMatchObject({ code: 0, stderr: '' });
  expect(held.stdout).toContain('intake release --imported');
  expect(await audited(org)).toEqual({ proven: 0, imported: 0, drift: 0 });
  const sent = join(folder.path, 'sent.xml');
  writeFileSync(sent, sentXml(peerReport(3)));
  await json(['ingest', sent, '--org', org]);
  expect(await audited(org)).toEqual({ proven: 5, imported: 0, drift: 0 });
  await json(['intake', 'release', '--imported', '--domain', 'example.com', '--org', org]);
  expect(await audited(org)).toEqual({ proven: 5, imported: messagesOf(REPORTS) - 5, drift: 0 });
  writeFileSync(sent, sentXml(peerReport(4)));
  await json(['ingest', sent, '--org', org]);
  expect(await audited(org)).toEqual({ proven: 11, imported: messagesOf(REPORTS) - 11, drift: 0 });
  expect(await audited(other)).toEqual({ proven: 0, imported: 0, drift: 0 });
});

it('an import that is killed goes on where it was when it runs again', async () => {
  const reports = 600;
  const org = await organization('killed');
  const orgId = parseId(org);
  const args = ['import', 'parsedmarc', await fileWith('aggregate.json', reports), '--org', org, '--count', '--json'];
  const child = startCommand(args, env());
  await vi.waitFor(
    async () => {
      const { rows } = await sql`select from report where org_id = ${orgId}`.execute(database.db);
      expect(rows.length).toBeGreaterThan(0);
    },
    { timeout: 120_000, interval: 5 },
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await host.run(args, env())).code).toBe(0);
  expect(await audited(org)).toEqual({ proven: 0, imported: messagesOf(reports), drift: 0 });
});

it.each<[string, () => Promise<string[]> | string[], string]>([
  ['a path that does not exist', () => ['parsedmarc', '/nowhere/a.json'], '/nowhere/a.json does not exist.'],
  [
    'a database that does not answer',
    () => ['dmarcts', '--database', 'mysql://reader@127.0.0.1:1/dmarc'],
    'The database cannot be opened: connect ECONNREFUSED 127.0.0.1:1.',
  ],
  [
    'another schema',
    async () => ['dmarc-srg', '--database', await mariadb.createDatabase('empty', [])],
    'The database has no table reports, as dmarc-srg has.',
  ],
  [
    'a password on the command line',
    () => ['dmarcts', '--database', 'mysql://reader:secret@127.0.0.1/dmarc'],
    'The password does not belong on the command line: use --password-env.',
  ],
  [
    'a variable that is not set',
    () => ['dmarcts', '--database-env', 'NOT_SET'],
    'The environment variable NOT_SET is not set.',
  ],
])('%s is named in a sentence', async (_, args, sentence) => {
  const { stderr, code } = await host.run(['import', ...(await args()), '--org', await organization('errors')], env());
  expect(stderr).toBe(`dmarc-ledger: ${sentence}\n`);
  expect(code).not.toBe(0);
});
