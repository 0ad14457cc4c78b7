import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openDatabase } from '@dmarc-ledger/schema';
import { dovecotServer, redisServer, reportMail, reportXml, type DovecotServer } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { getJson } from './support/api.ts';
import { testedProgram } from './support/command.ts';
import { debianPostgres } from './support/debian-postgres.ts';
import { temporaryFolder } from './support/folder.ts';
import { FILLED, fillLedger } from './support/full-ledger.ts';
import { startInstance } from './support/instance.ts';

const root = join(import.meta.dirname, '..');
/** What changes whenever a process runs. */
const RESTLESS = ['usage_hour', 'usage_batch', 'outbox', 'chore', 'upload_under_way', 'schema_migration'];

/** The commands of the page that begin with this one, up to the end of their block. */
function documented(first: string): string {
  const page = readFileSync(join(root, 'docs', 'deployment.md'), 'utf8');
  const [, block] = new RegExp(`\`\`\`\n(${first} [^\`]*)\`\`\``).exec(page) ?? [];
  if (block === undefined) throw new Error(`The page has no block that begins with ${first}.`);
  return block;
}

/** How many rows each table has, and a digest of all of them. */
async function contentOf(url: string): Promise<{ [table: string]: { rows: number; digest: string | null } }> {
  const database = openDatabase(url, { connections: 1 });
  try {
    const tables = await sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      order by relname`.execute(database.db);
    const found = tables.rows.map(async ({ name }) => {
      const { rows } = await sql<{ rows: number; digest: string | null }>`
        select count(*) as rows, md5(string_agg(md5(t::text), '' order by md5(t::text))) as digest
        from ${sql.table(name)} t`.execute(database.db);
      return [name, rows[0]!] as const;
    });
    return Object.fromEntries(await Promise.all(found));
  } finally {
    await database.close();
  }
}

/** A mail with a report of that many messages. */
const mailOf = (id: string, count: number) =>
  reportMail({ xml: reportXml({ id, domain: 'late.example', records: [{ ip: '192.0.2.7', count }] }) });

/** Waits until that many mails were read and moved, and none waits. */
async function putAside(dovecot: DovecotServer, user: string, count: number): Promise<void> {
  const folders = async () =>
    await Promise.all(['INBOX', 'Processed'].map(async (name) => (await dovecot.messages(user, name)).length));
  await expect.poll(folders, { timeout: 60_000, interval: 500 }).toEqual([0, count]);
}

it('has the ledger whole again after the commands for backup and restore in docs/deployment.md', async () => {
  await using postgres = await debianPostgres();
  await using dovecot = await dovecotServer();
  const redis = await redisServer();
  using folder = temporaryFolder();
  const place = (name: string) => join(folder.path, name);
  const env = {
    DATABASE_URL: postgres.urlOf('ledger'),
    REDIS_URL: redis.url,
    DATA_DIR: place('data'),
    BLOB_URL: pathToFileURL(place('blobs')).href,
    SECRET_KEY: '0123456789abcdef'.repeat(4),
    LOG_LEVEL: 'error',
    ENRICHMENT: 'off',
    MAIL_PASSWORD: dovecot.password,
  };
  /** Runs commands as the page has them, with the places and the role of this test. */
  const sh = (commands: string, own: { [name: string]: string }) => {
    const line = commands
      .replaceAll('/srv/dmarc-ledger/blobs', place('blobs'))
      .replaceAll('/backup/blobs', place('backup'))
      .replaceAll('ROLE', postgres.role)
      .replaceAll('npx dmarc-ledger', `'${process.execPath}' '${testedProgram}'`);
    const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    const ran = spawnSync('sh', ['-e', '-c', line], {
      cwd: folder.path,
      env: { PATH: path, HOME: folder.path, ...env, ...own },
      encoding: 'utf8',
    });
    expect({ stderr: ran.stderr, status: ran.status }).toEqual({ stderr: '', status: 0 });
    return ran.stdout;
  };
  sh(`createdb --owner=${postgres.role} ledger`, postgres.superuser);
  await fillLedger(env, folder.path);
  const user = dovecot.user();
  writeFileSync(place('ca.pem'), dovecot.ca);
  const server = `--host localhost --port ${dovecot.tlsPort} --user ${user} --ca-file ca.pem`;
  sh(`npx dmarc-ledger mailbox add --org 'My organization' ${server} --password-env MAIL_PASSWORD`, {});
  await dovecot.createFolder(user, 'Processed');
  /** Lets an instance read a mail, and returns the statistics after it. */
  const withMail = async (mail: Buffer, read: number) => {
    await dovecot.append(user, 'INBOX', [mail]);
    const instance = await startInstance(env.DATA_DIR, ['--no-samples'], env);
    await putAside(dovecot, user, read);
    const statistics = await getJson(`${instance.apiUrl}/v1/statistics`, instance.key);
    expect(await instance.end('SIGTERM')).toBe(0);
    return statistics;
  };
  const statistics = await withMail(mailOf('before', 10), 1);
  const before = await contentOf(env.DATABASE_URL);
  expect(FILLED.filter((table) => before[table]?.rows === 0)).toEqual([]);

  sh(documented('pg_dump'), {});
  const later = await withMail(mailOf('after', 100), 2);
  expect(later.total_messages).toBe(statistics.total_messages + 100);
  const restored = { DATABASE_URL: postgres.urlOf('restored'), BLOB_URL: pathToFileURL(place('restored')).href };
  const commands = documented('createdb').replaceAll('/srv/dmarc-ledger/blobs', place('restored'));
  const output = sh(commands, { ...postgres.superuser, ...restored });
  expect(output).toContain('drift 0');
  const after = await contentOf(restored.DATABASE_URL);
  for (const table of RESTLESS) for (const content of [before, after]) delete content[table];
  expect(after).toEqual(before);

  const instance = await startInstance(env.DATA_DIR, ['--no-samples'], { ...env, ...restored });
  const restoredStatistics = () => getJson(`${instance.apiUrl}/v1/statistics`, instance.key);
  expect(await restoredStatistics()).toEqual(statistics);
  await dovecot.moveAll(user, 'Processed', 'INBOX'); // what the page asks for; the first mail is in the backup too
  await putAside(dovecot, user, 2);
  expect(await restoredStatistics()).toEqual(later);
  expect(JSON.parse(sh('npx dmarc-ledger audit --json', restored))).toMatchObject([{ drift: 0 }]);
  expect(await instance.end('SIGTERM')).toBe(0);
  await redis.stop();
});
