import { join } from 'node:path';
import { cloneDatabase, dnsServer, emptyDatabase, redisServer, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { newId } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCommandHost } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';

const folder = temporaryFolder();
const host = openCommandHost();
const DATA_DIR = join(folder.path, 'data');
let database: ClonedDatabase;
let dns: Awaited<ReturnType<typeof dnsServer>>;
let resolver: { [name: string]: string };

beforeAll(async () => {
  database = await cloneDatabase();
  dns = await dnsServer({ com: '' });
  resolver = { DNS_SERVERS: `${dns.address}:${dns.port}`, ALLOW_PRIVATE_ADDRESSES: 'on' };
});
afterAll(async () => {
  host[Symbol.dispose]();
  await dns[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function examined(env: { [name: string]: string }) {
  const { code, stdout } = await host.run(['doctor', '--json'], { DATA_DIR, ...env });
  const findings = JSON.parse(stdout) as { check: string; state: string; says: string; mend: string | null }[];
  return { code, of: (check: string) => findings.find((finding) => finding.check === check), findings };
}

describe.concurrent('doctor', () => {
  it('finds nothing wrong with what works', async () => {
    const { code, findings } = await examined({ DATABASE_URL: database.url, ...resolver });
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        'database',
        'isolation',
        'schema',
        'intake',
        'work',
        'DNS',
        'geo data',
        'mailboxes',
        'queue',
        'raw bytes',
      ]),
    );
    expect(findings.filter(({ state }) => state === 'error')).toEqual([]);
    expect(code).toBe(0);
  });

  it('prints what to do, and the source of the geo data', async () => {
    const { stdout } = await host.run(['doctor'], {
      DATA_DIR,
      DATABASE_URL: database.url,
      DNS_SERVERS: '127.0.0.1:1',
    });
    expect(stdout).toMatch(/^DNS +warning +The resolvers do not answer/m);
    expect(stdout).toContain('DNS: Check DNS_SERVERS');
    expect(stdout).toContain('DB-IP');
  });

  it('reports that the database or Redis does not answer', async () => {
    const { code, of } = await examined({
      DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    expect([of('database'), of('queue')]).toMatchObject([
      {
        state: 'error',
        says: expect.stringMatching(/^no server accepts connections at 127\.0\.0\.1:1; check /),
        mend: expect.stringContaining('DATABASE_URL'),
      },
      {
        state: 'error',
        says: expect.stringMatching(/^Redis does not answer: no server accepts connections at 127\.0\.0\.1:1; check /),
        mend: expect.stringContaining('REDIS_URL'),
      },
    ]);
    expect(code).toBe(1);
  });

  it('blames the place of the raw bytes, and not the database, where these cannot be kept', async () => {
    const { code, of } = await examined({ DATABASE_URL: database.url, BLOB_URL: 'file:///dev/null', ...resolver });
    expect(of('database')).toMatchObject({ state: 'ok' });
    expect([of('ledger'), of('raw bytes')]).toMatchObject([
      { state: 'error', says: expect.stringContaining('BLOB_URL') },
      { state: 'error', mend: expect.stringContaining('BLOB_URL') },
    ]);
    expect(code).toBe(1);
  });

  it('says that migrations wait', async () => {
    await using empty = await emptyDatabase();
    const { code, of } = await examined({ DATABASE_URL: empty.url });
    expect(of('schema')).toMatchObject({ state: 'error', mend: 'Run: dmarc-ledger migrate' });
    expect(code).toBe(1);
  });

  it('says that resolvers which answer know nothing of the Internet', async () => {
    await using root = await dnsServer({ '.': '' });
    const server = { DNS_SERVERS: `${root.address}:${root.port}`, ALLOW_PRIVATE_ADDRESSES: 'on' };
    const { of } = await examined({ DATABASE_URL: database.url, ...server });
    expect(of('DNS')).toMatchObject({ state: 'error', says: 'The resolvers answer that com does not exist.' });
  });

  it('says that people wait for mail which no server takes', async () => {
    await using own = await cloneDatabase();
    const env = { DATA_DIR, DATABASE_URL: own.url, SECRET_KEY: 'k'.repeat(40), ...resolver };
    expect((await examined(env)).of('mail')).toMatchObject({ state: 'ok' });
    await host.run(['org', 'create', 'Org'], env);
    await host.run(['webhook', 'add', 'mailto:ops@shop.example', '--org', 'Org'], env);
    expect((await examined(env)).of('mail')).toMatchObject({
      state: 'warning',
      says: expect.stringContaining('1 mail'),
    });
    const sent = await examined({ ...env, SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'ledger@shop.example' });
    expect(sent.of('mail')).toMatchObject({ state: 'ok' });
  });

  it('says that a Redis would lose jobs', async () => {
    const redis = await redisServer();
    try {
      const { of } = await examined({ DATABASE_URL: database.url, REDIS_URL: redis.url, ...resolver });
      expect(of('queue')).toMatchObject({ state: 'warning', says: expect.stringContaining('loses its jobs') });
      await redis.ask('CONFIG SET maxmemory-policy allkeys-lru');
      const after = await examined({ DATABASE_URL: database.url, REDIS_URL: redis.url, ...resolver });
      expect(after.of('queue')).toMatchObject({ state: 'error', mend: 'Set maxmemory-policy noeviction.' });
    } finally {
      await redis.stop();
    }
  });

  it('reports that no worker does the waiting work, and that a mailbox cannot be opened', async () => {
    await using own = await cloneDatabase();
    const env = { DATA_DIR, DATABASE_URL: own.url, SECRET_KEY: 'k'.repeat(40) };
    const created = await host.run(['org', 'create', 'Org', '--json'], env);
    const { id } = JSON.parse(created.stdout) as { id: string };
    const address = ['--host', '127.0.0.1', '--port', '1', '--user', 'reports', '--password-env', 'MAIL_PASSWORD'];
    await host.run(['mailbox', 'add', '--org', id, ...address], { ...env, MAIL_PASSWORD: 'secret' });
    const orgId = (await own.db.selectFrom('organization').select('id').executeTakeFirstOrThrow()).id;
    const hourAgo = new Date(Date.now() - 3_600_000);
    await own.db
      .insertInto('outbox')
      .values({
        id: newId(),
        org_id: orgId,
        job: 'repairRollups',
        payload: JSON.stringify({ orgId }),
        created_at: hourAgo,
      })
      .execute();
    const { code, of } = await examined({ ...env, ...resolver });
    expect(of('work')).toMatchObject({
      state: 'error',
      says: expect.stringMatching(/^Queued work has waited for 6\d minutes\.$/),
    });
    expect(of('mailbox reports@127.0.0.1 INBOX')).toMatchObject({
      state: 'error',
      mend: expect.stringContaining('mailbox test'),
    });
    expect(code).toBe(1);
  });
});
