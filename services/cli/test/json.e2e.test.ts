import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { newId, parseId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCommandHost } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { jsonOf } from '../../../test/support/json-of.ts';
import { xmlOf } from './deliveries.ts';
import { failureOf, tlsOf } from './other-deliveries.ts';

const folder = temporaryFolder();
const host = openCommandHost();
const NAMES = ['First', 'Second'] as const;
let database: ClonedDatabase;
const orgs: { [name: string]: string } = {};

beforeAll(async () => {
  database = await cloneDatabase();
  for (const name of NAMES) {
    orgs[name] = (await json('org', 'create', name)).id;
    await fill(name);
  }
  const facts = { from: 'blue.example', authservId: 'mx.example', dmarc: 'pass', spf: null, dkim: [] };
  await sql`update raw_message set source = 'mailbox', mail_facts = ${JSON.stringify(facts)} where name like '%report.xml'`.execute(
    database.db,
  );
}, 240_000);
afterAll(async () => {
  host[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const ran = (...args: string[]) =>
  host.run(args, {
    DATABASE_URL: database.url,
    DATA_DIR: join(folder.path, 'data'),
    SECRET_KEY: 'k'.repeat(40),
    MAIL_PASSWORD: 'secret',
    DNS_SERVERS: '127.0.0.1:1',
  });

const json = (...args: string[]) => jsonOf(ran(...args, '--json'));

/** One of each kind for an organization. */
async function fill(name: string): Promise<void> {
  const place = join(folder.path, name);
  mkdirSync(place);
  writeFileSync(join(place, 'report.xml'), xmlOf(`of ${name}`, 2));
  writeFileSync(join(place, 'tls.json'), tlsOf(`of ${name}`, 'firm.com'));
  writeFileSync(join(place, 'failure.eml'), failureOf('firm.com'));
  await json('ingest', place, '--org', name);
  await json('user', 'add', `${name}@example.com`, '--org', name, '--role', 'viewer');
  await json('key', 'create', '--org', name);
  await json('domain', 'add', `${name}.example`, '--org', name);
  const server = ['--host', 'imap.example', '--user', name, '--password-env', 'MAIL_PASSWORD', '--folder', 'Reports'];
  await json('mailbox', 'add', '--org', name, ...server);
  await json('webhook', 'add', `mailto:${name}@example.com`, '--org', name);
  await sql`insert into event (org_id, id, type, severity, domain, dedup_key, title, message, link)
    values (${parseId(orgs[name]!)!}, ${newId()}, 'dmarc_record_missing', 'critical', 'firm.com', 'key', 'Title', 'Text.', '/')`.execute(
    database.db,
  );
}

/** Every key in a document, at any depth, that is not snake_case. */
function oddKeys(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(oddKeys);
  return Object.entries(value).flatMap(([key, held]) => [
    ...(/^[a-z0-9]+(_[a-z0-9]+)*$/.test(key) ? [] : [key]),
    ...oddKeys(held),
  ]);
}

const LISTS = [
  'user list',
  'key list',
  'domain list',
  'mailbox list',
  'intake list',
  'event list',
  'webhook list',
  'tlsrpt list',
  'ruf list',
].map((list) => list.split(' '));

describe.concurrent('a list', () => {
  it.each(LISTS)('%s %s covers all organizations or one, and each row names its own', async (...list) => {
    const [all, one] = [await json(...list), await json(...list, '--org', 'First')];
    const owners = (rows: { org: string }[]) => [...new Set(rows.map(({ org }) => org))].toSorted();
    expect(owners(all)).toEqual(Object.values(orgs).toSorted());
    expect(owners(one)).toEqual([orgs['First']]);
    expect(all.filter(({ org }: { org: string }) => org === orgs['First'])).toEqual(one);
    expect(oddKeys(all)).toEqual([]);
    const [shown, named] = [await ran(...list), await ran(...list, '--org', 'First')];
    expect(shown.stdout).toMatch(/^org /);
    expect(shown.stdout).toMatch(/^Second /m);
    expect(named.stdout).not.toMatch(/^org /);
  });

  it('of limited length has the newest of all organizations', async () => {
    const all = await json('intake', 'list');
    expect(all.map(({ id }: { id: string }) => id)).toEqual(
      all
        .map(({ id }: { id: string }) => id)
        .toSorted()
        .toReversed(),
    );
    expect(await json('intake', 'list', '--limit', '2')).toEqual(all.slice(0, 2));
  });

  it('of mailboxes shows port and folder', async () => {
    expect((await ran('mailbox', 'list', '--org', 'First')).stdout).toMatch(
      /^id +mailbox +port +folder .*\n\S+ +First at imap\.example +993 +Reports /,
    );
  });
});

describe.concurrent('JSON', () => {
  it.each([
    ['org list'],
    ['plan list'],
    ['doctor'],
    ['migrate --status'],
    ['audit'],
    ['snapshot rebuild --from 2026-01-01'],
    ['purge --older-than 30 --dry-run'],
    ['intake replay --all --dry-run'],
    ['secret reseal'],
    ['enrich 192.0.2.8'],
  ])('of %s has its keys in snake_case', async (command) => {
    const { stdout } = await ran(...command.split(' '), '--json');
    expect(oddKeys(JSON.parse(stdout))).toEqual([]);
  });

  it('of a delivery has its keys in snake_case, and those of its mail', async () => {
    const [delivery] = (await json('intake', 'list')).filter(({ source }: { source: string }) => source === 'mailbox');
    const shown = await json('intake', 'show', delivery.id);
    expect(oddKeys(shown)).toEqual([]);
    expect(shown).toMatchObject({
      ...delivery,
      attempts_started: 1,
      received_at: expect.stringMatching(/^\d{4}-.*Z$/),
      mail: { facts: { authserv_id: 'mx.example' }, header_only: false, places: [] },
    });
    const { stdout } = await ran('intake', 'show', delivery.id);
    expect(stdout).toMatch(/^fact +value\nid +\w{26}\n/);
    expect(stdout).toMatch(/^document +kind +outcome .*\n\S+ +rua +stored +- +- +1 +2 /m);
  });
});

describe('an id', () => {
  it.each<[string, string[], string[]]>([
    ['delivery', ['intake', 'list'], ['intake', 'show']],
    ['delivery that is read again', ['intake', 'list', '--state', 'stored'], ['intake', 'replay', '--dry-run', '--id']],
    ['event', ['event', 'list'], ['event', 'ack']],
    ['target', ['webhook', 'list'], ['webhook', 'log']],
    ['target to remove', ['webhook', 'list'], ['webhook', 'remove']],
    ['key', ['key', 'list'], ['key', 'revoke']],
    ['mailbox', ['mailbox', 'list'], ['mailbox', 'remove']],
  ])('of a %s is enough; with --org it must be one of that organization', async (_, list, command) => {
    const [{ id }] = await json(...list, '--org', 'Second');
    const elsewhere = await ran(...command, id, '--org', 'First');
    expect(elsewhere).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^dmarc-ledger: There is no /),
    });
    await json(...command, id, '--org', 'Second');
    const [{ id: other }] = await json(...list, '--org', 'First');
    await json(...command, other);
  });

  it('of an event that was acknowledged is no longer in the list of open ones', async () => {
    const [all, open] = [await json('event', 'list'), await json('event', 'list', '--open')];
    const acknowledged = all.filter((event: { acknowledged: string | null }) => event.acknowledged !== null);
    expect(acknowledged).toHaveLength(2);
    expect(open).toEqual(all.filter((event: { acknowledged: string | null }) => event.acknowledged === null));
  });
});

it('replay of all organizations adds them up', async () => {
  const sums = await Promise.all(
    [[], ['--org', 'First'], ['--org', 'Second']].map((org) => json('intake', 'replay', '--all', '--dry-run', ...org)),
  );
  const read = sums.map(({ deliveries }) => deliveries.read);
  expect(read).toEqual([6, 3, 3]);
  expect(sums[0].after.rows).toBe(sums[1].after.rows + sums[2].after.rows);
  expect(sums[0].after.rows).toBeGreaterThan(0);
  expect(sums[0].deliveries.endings).toContainEqual({ from: 'stored', to: 'stored', deliveries: 6 });
});
