import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { cloneDatabase, emptyDatabase, giveOwnDetails, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { parseId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openCommandHost, runCommand, startCommand, type Ran } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { jsonOf } from '../../../test/support/json-of.ts';
import { SAMPLE_ID } from '../src/options.ts';
import { mailOf, mboxOf, tarOf, xmlOf } from './deliveries.ts';

const folder = temporaryFolder();
const host = openCommandHost();
let database: ClonedDatabase;
let organizations = 0;
let places = 0;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => {
  host[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Runs a command in a process of its own if it starts services or reads its standard input; the others share one. */
function ran(args: string[], { input, ...env }: { input?: Buffer; [name: string]: unknown } = {}): Promise<Ran> {
  const own = { DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data') };
  const whole = { ...own, ...(env as { [name: string]: string }) };
  return input || args[0] === 'start' || args[0] === 'serve' ? runCommand(args, whole, input) : host.run(args, whole);
}

/** The one JSON document that a command prints, and nothing else. */
const json = (args: string[], options?: Parameters<typeof ran>[1], code = 0) =>
  jsonOf(ran([...args, '--json'], options), code);

async function newOrganization(): Promise<string> {
  organizations += 1;
  return (await json(['org', 'create', `Organization ${organizations}`])).id;
}

/** A new folder for one test. */
function newPlace(): string {
  places += 1;
  return join(folder.path, `place ${places}`);
}

/** Writes a file, in a new folder by default. */
function given(name: string, content: Buffer | string, place = newPlace()): string {
  const path = join(place, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

describe.concurrent('every command', () => {
  it('explains itself with --help, without a database', async () => {
    for (const command of ['', 'ingest', 'key create']) {
      const { code, stdout, stderr } = await runCommand([...command.split(' ').filter(Boolean), '--help'], {
        DATABASE_URL: '',
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`Usage: dmarc-ledger ${command}`);
    }
  });

  it.runIf(process.platform === 'linux')('says in a sentence that a full disk has cut its output off', async () => {
    const bin = join(import.meta.dirname, '../../../bin/dmarc-ledger.js');
    const ran = promisify(execFile)('sh', ['-c', '"$0" "$1" --version > /dev/full', process.execPath, bin]);
    await expect(ran).rejects.toMatchObject({
      code: 1,
      stderr: 'dmarc-ledger: The output cannot be written: no space left on device.\n',
    });
  });

  it.each<[string, string[], RegExp]>([
    ['a command that there is not', ['polish'], /unknown command 'polish'/],
    ['an option that there is not', ['org', 'list', '--loud'], /unknown option '--loud'/],
    ['an argument left out', ['org', 'create'], /missing required argument 'name'/],
    ['an option left out', ['key', 'create'], /required option '--org <id>'/],
    ['a word that is none of the choices', ['serve', 'kitchen'], /kitchen.*Allowed choices/],
    [
      'a quota that is no number',
      ['plan', 'set', 'x', '--hourly-quota', 'many'],
      /--hourly-quota takes a whole number/,
    ],
    ['a name that is no domain', ['domain', 'add', 'not a domain', '--org', 'x'], /not a domain is not a domain name/],
    [
      'several addresses for one person',
      ['user', 'invite', 'a@x.example,b@y.example', '--org', 'x', '--role', 'viewer'],
      /is not a mail address/,
    ],
    ['an empty address', ['user', 'add', '', '--org', 'x', '--role', 'viewer'], /Nothing is not a mail address/],
    ['an empty name', ['org', 'create', ' '], /Give the organization a name/],
    ['a name that colours the terminal', ['org', 'create', '\x1b[31mred'], /The name is one line, without control/],
    ['a name without end', ['org', 'create', 'x'.repeat(201)], /The name has at most 200 characters/],
    ['a plan without a code', ['plan', 'set', ''], /Give the plan a code/],
    [
      'an address that colours the terminal',
      ['user', 'add', 'a\x1b[31m@x.example', '--org', 'x', '--role', 'viewer'],
      /is not a mail address/,
    ],
    ['a key that has expired', ['key', 'create', '--org', 'x', '--expires', '2020-01-01'], /2020-01-01 is past/],
    [
      'a day that there is not',
      ['key', 'create', '--org', 'x', '--expires', '2027-02-30T00:00:00Z'],
      /2027-02-30T00:00:00Z is not an instant/,
    ],
    [
      'a day that there is not, for a replay',
      ['intake', 'replay', '--org', 'x', '--since', '2026-02-30'],
      /2026-02-30 is not an instant/,
    ],
    ['a key with a name of two lines', ['key', 'create', '--org', 'x', '--name', 'a\nb'], /The name is one line/],
    [
      'a queue that there is not',
      ['serve', 'worker', '--queues', 'recrods'],
      /no queue named recrods; there are records/,
    ],
    ['queues for a service without any', ['serve', 'api', '--queues', 'records'], /--queues is for serve worker/],
    [
      'a server with a space in its name',
      ['mailbox', 'add', '--org', 'x', '--host', 'h h', '--user', 'u', '--password-env', 'PATH'],
      /--host takes the name or the address of a server/,
    ],
    [
      'a folder that is more than a line',
      ['mailbox', 'add', '--org', 'x', '--host', 'h', '--user', 'u', '--folder', 'a\nb', '--password-env', 'PATH'],
      /--folder is one line/,
    ],
    ['an empty new name', ['org', 'set', 'x', '--name', ''], /Give the organization a name/],
    ['a limit that is no number', ['intake', 'list', '--org', 'x', '--limit', '0'], /--limit takes a whole number/],
    ['a port that is none', ['start', '--port', '99999'], /PORT: expected a port/],
  ])('calls %s wrong usage, with 2', async (_, args, sentence) => {
    const { code, stdout, stderr } = await ran(args);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it.each<[string, string[], { [name: string]: string }, RegExp]>([
    ['an organization that there is not', ['user', 'list', '--org', 'Nobody'], {}, /no organization Nobody/],
    [
      'deliveries of an unknown organization',
      ['intake', 'show', SAMPLE_ID, '--org', 'Nobody'],
      {},
      /no organization Nobody/,
    ],
    ['a plan that there is not', ['org', 'create', 'Planned', '--plan', 'golden'], {}, /no plan golden/],
    [
      'a database that is away',
      ['org', 'list'],
      { DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      /cannot be used: no server accepts connections at 127\.0\.0\.1:1; check that the server runs.*See DATABASE_URL/,
    ],
    ['a folder that is a file', ['org', 'list'], { DATA_DIR: '/dev/null' }, /\/dev\/null cannot be used/],
    [
      'a folder for the database that is a file',
      ['org', 'list'],
      { DATABASE_URL: '', DATA_DIR: '/dev/null' },
      /\/dev\/null cannot be used: not a directory.*Choose another DATA_DIR/,
    ],
    [
      'a folder in which the system lets nobody make another',
      ['org', 'list'],
      { DATABASE_URL: '', DATA_DIR: '/proc/nowhere' },
      /\/proc\/nowhere cannot be used.*Choose another DATA_DIR/,
    ],
    [
      'a file of places that there is not',
      ['enrich', '192.0.2.1'],
      { GEOIP_CITY_DB: '/nowhere.mmdb' },
      /no such file or directory: \/nowhere\.mmdb/,
    ],
    [
      'a file of places that is none',
      ['enrich', '192.0.2.1'],
      { GEOIP_CITY_DB: '/etc/passwd' },
      /\/etc\/passwd is not a MaxMind DB/,
    ],
    [
      'a file of networks that is none',
      ['enrich', '192.0.2.1'],
      { GEOIP_ASN_DB: '/etc/passwd' },
      /\/etc\/passwd is not a MaxMind DB/,
    ],
    ['a folder to start in that is a file', ['start'], { DATA_DIR: '/dev/null' }, /\/dev\/null cannot be used/],
    [
      'a delivery that there is not',
      ['intake', 'show', SAMPLE_ID],
      {},
      /no delivery \w+; see: dmarc-ledger intake list/,
    ],
    ['an event that there is not', ['event', 'ack', SAMPLE_ID], {}, /no event \w+; see: dmarc-ledger event list/],
    ['a key that there is not', ['key', 'revoke', SAMPLE_ID], {}, /no key \w+; see: dmarc-ledger key list/],
    [
      'no folder for raw bytes',
      ['org', 'list'],
      { BLOB_URL: 'file:///dev/null' },
      /BLOB_URL: not a directory: \/dev\/null\. Name a folder/,
    ],
  ])('says in a sentence that it was given %s, and fails with 1', async (_, args, env, sentence) => {
    const { code, stdout, stderr } = await ran(args, env);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('prints every fault of the environment at once, with 2', async () => {
    const { code, stderr } = await ran(['org', 'list'], { DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud' });
    expect(stderr).toMatch(/DATABASE_URL: .*\n.*LOG_LEVEL: /);
    expect(code).toBe(2);
  });
});

describe.concurrent('the installation', () => {
  it('has its schema migrated by migrate, which prints what is pending', async () => {
    await using empty = await emptyDatabase();
    const env = { DATABASE_URL: empty.url };
    const before = await json(['migrate', '--status'], env);
    expect(before.applied).toEqual([]);
    expect(before.pending.length).toBeGreaterThan(3);
    expect(await json(['migrate'], env)).toEqual({ applied: before.pending, pending: [] });
    expect(await json(['migrate', '--status'], env)).toEqual({ applied: before.pending, pending: [] });
  });

  it('refuses a schema that a newer version has made', async () => {
    await using newer = await cloneDatabase();
    await sql`insert into schema_migration (name, sha256) values ('9999_later.sql', '')`.execute(newer.db);
    const { code, stderr } = await ran(['org', 'list'], { DATABASE_URL: newer.url });
    expect(stderr).toMatch(/9999_later.sql.*Use the newer version/);
    expect(code).toBe(1);
  });
});

describe.concurrent('organizations, plans, people and keys', () => {
  it('are made, listed and changed', async () => {
    const made = await json(['org', 'create', 'Blue Harbor', '--rua', 'a@example.com', '--rua', 'b@example.com']);
    expect(made).toMatchObject({ name: 'Blue Harbor', plan: 'standard', rua: 'a@example.com,b@example.com' });
    expect(made.id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    const inOne = await json([
      'org',
      'set',
      made.id,
      '--rua',
      'mailto:A@Example.com, b@bücher.example',
      '--rua',
      'c@d.example',
    ]);
    expect(inOne.rua).toBe('a@example.com,b@xn--bcher-kva.example,c@d.example');
    for (const wrong of ['reports', 'a b@example.com', 'a@example.com!10m', 'a@example.com,', 'mailto:'])
      expect(await ran(['org', 'set', made.id, '--rua', wrong])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('is not a mail address.'),
      });
    await json(['org', 'set', made.id, '--rua', 'a@example.com', '--rua', 'b@example.com']);
    expect(await json(['plan', 'set', 'small', '--hourly-quota', '10'])).toMatchObject({
      code: 'small',
      hourly_quota: 10,
    });
    expect(await json(['plan', 'list'])).toContainEqual({ code: 'small', hourly_quota: 10, api: true });
    expect(await json(['org', 'set', made.id, '--plan', 'small', '--suspended', 'yes'])).toMatchObject({
      ...made,
      plan: 'small',
      suspended: true,
    });
    const { stdout } = await ran(['org', 'list']);
    expect(stdout).toMatch(/^id +name +plan +rua +suspended +removed +unauthenticated\n/);
    expect(stdout).toContain('Blue Harbor');
    const again = await ran(['org', 'create', 'Blue Harbor']);
    expect(again).toEqual({
      code: 1,
      stdout: '',
      stderr: 'dmarc-ledger: An organization named Blue Harbor already exists.\n',
    });
  });

  it('belong to each other, by id or by name', async () => {
    const name = 'Belonging';
    const { id: org } = await json(['org', 'create', name]);
    await json(['user', 'add', 'anna@example.com', '--org', name, '--role', 'viewer']);
    expect(await json(['user', 'list', '--org', org])).toEqual([
      { org, email: 'anna@example.com', role: 'viewer', removed: false },
    ]);
    const key = await json([
      'key',
      'create',
      '--org',
      org,
      '--owner',
      'anna@example.com',
      '--scope',
      'full',
      '--name',
      'Anna',
    ]);
    expect(key.key).toMatch(/^dml_[^_]{8}_/);
    expect(await json(['key', 'list', '--org', name])).toMatchObject([
      { id: key.id, name: 'Anna', scope: 'full', owner: 'anna@example.com', revoked: false },
    ]);
    expect(await json(['key', 'revoke', key.id])).toEqual({ id: key.id, revoked: true });
    expect(await ran(['user', 'remove', 'anna@example.com', '--org', org])).toEqual({
      code: 0,
      stdout: 'email             removed\nanna@example.com  true\n',
      stderr: '',
    });
    expect(await json(['key', 'list', '--org', org])).toMatchObject([{ id: key.id, revoked: true }]);
    expect(await json(['user', 'list', '--org', org])).toMatchObject([{ removed: true }]);
  });

  it('show a key once, and never what opens the door again', async () => {
    const org = await newOrganization();
    const { stdout } = await ran(['key', 'create', '--org', org, '--scope', 'ingest']);
    expect(stdout).toMatch(/^dml_\S+\n$/);
    expect(JSON.stringify(await json(['key', 'list', '--org', org]))).not.toContain(stdout.trim());
  });

  it('monitor domains until stopped', async () => {
    const org = await newOrganization();
    expect(await json(['domain', 'add', 'Example.COM.', '--org', org, '--tlsrpt'])).toEqual([
      { domain: 'example.com', source: 'manual' },
    ]);
    expect(await json(['domain', 'list', '--org', org])).toMatchObject([{ domain: 'example.com', reports: 0 }]);
    for (const [option, isExpected] of [
      [[], true],
      [['--no-tlsrpt'], false],
    ] as const) {
      await json(['domain', 'add', 'example.com', '--org', org, ...option]);
      const { rows } = await sql<{ tlsrpt_enabled: boolean }>`
        select tlsrpt_enabled from domain where org_id = ${parseId(org)!} and name = 'example.com'`.execute(
        database.db,
      );
      expect(rows).toEqual([{ tlsrpt_enabled: isExpected }]);
    }
    const several = ['a.example', 'b.example', 'A.example'];
    expect(await json(['domain', 'add', ...several, '--org', org])).toEqual([
      { domain: 'a.example', source: 'manual' },
      { domain: 'b.example', source: 'manual' },
    ]);
    for (const domain of ['a.example', 'b.example'])
      expect(await json(['domain', 'remove', domain, '--org', org])).toEqual({ domain, removed: true });
    expect(await ran(['domain', 'remove', 'example.com', '--org', org])).toMatchObject({ code: 0 });
    expect(await ran(['domain', 'remove', 'example.com', '--org', org])).toMatchObject({
      code: 1,
      stderr: 'dmarc-ledger: example.com is not monitored.\n',
    });
    expect(await json(['domain', 'list', '--org', org])).toEqual([]);
  });
});

const none = {
  received: 0,
  stored: 0,
  duplicates: 0,
  refused: 0,
  warnings: 0,
  reports: 0,
  records: 0,
  tlsrpt: 0,
  aprf: 0,
  ruf: 0,
  refusals: [],
};

describe.concurrent('a mailbox that is added again', () => {
  it('keeps what is left out, and changes what is given', async () => {
    const org = await newOrganization();
    const env = { MAIL_PASSWORD: 'p', SECRET_KEY: 'ab'.repeat(32) };
    const where = ['--org', org, '--host', 'imap.example', '--user', 'reports', '--password-env', 'MAIL_PASSWORD'];
    const add = async (...more: string[]) => {
      const { id } = await json(['mailbox', 'add', ...where, ...more], env);
      const { db } = database;
      const query = db.selectFrom('mailbox').select(['shared', 'authserv_ids', 'after_intake', 'processed_folder']);
      return await query.where('id', '=', parseId(id) ?? '').executeTakeFirstOrThrow();
    };
    const first = { shared: true, authserv_ids: ['mx.one'], after_intake: 'leave', processed_folder: 'Done' };
    const options = ['--shared', '--authserv-id', 'MX.one', '--after', 'leave', '--processed-folder', 'Done'];
    expect(await add(...options)).toEqual(first);
    expect(await add()).toEqual(first);
    expect(await add('--no-shared', '--authserv-id', '')).toEqual({ ...first, shared: false, authserv_ids: [] });
    expect(await add('--after', 'move')).toEqual({ ...first, shared: false, authserv_ids: [], after_intake: 'move' });
    const circles = [
      ['--processed-folder', 'Inbox'],
      ['--refused-folder', 'done'], // the kept one of processed mail
    ];
    for (const circle of circles)
      expect(await ran(['mailbox', 'add', ...where, ...circle], env)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('three different folders'),
      });
  });
});

describe.concurrent('ingest', () => {
  it('ingests a file and prints its figures; the same again is a duplicate', async () => {
    const org = await newOrganization();
    const path = given('one.xml.gz', gzipSync(xmlOf('one', 3)));
    expect(await json(['ingest', path, '--org', org])).toEqual({
      ...none,
      received: 1,
      stored: 1,
      reports: 1,
      records: 3,
    });
    expect(await json(['ingest', path, '--org', org])).toEqual({ ...none, received: 1, duplicates: 1 });
    const { stdout, stderr, code } = await ran(['ingest', path, '--org', org]);
    expect(stdout).toMatch(/^received +stored +duplicates.*\n1 +0 +1 /);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });

  it('takes in all that is below a folder, and names what it refuses, with 3', async () => {
    const org = await newOrganization();
    const tree = newPlace();
    given('a.xml', xmlOf('a'), tree);
    given('deep/deeper/b.eml', mailOf(gzipSync(xmlOf('b'))), tree);
    given('deep/c.gz', gzipSync(xmlOf('c')), tree);
    given('.hidden', 'nothing of ours', tree);
    const broken = given('broken.xml', '<feedback><report_metadata>', tree);
    const note = given('note.txt', 'Dear Anna', tree);
    const summary = await json(['ingest', tree, '--org', org], {}, 3);
    expect(summary).toMatchObject({ received: 5, stored: 3, refused: 2, reports: 3, records: 3 });
    expect(summary.refusals.map(({ source }: { source: string }) => source).toSorted()).toEqual([broken, note]);
    for (const { code, message } of summary.refusals) {
      expect(code).toMatch(/^[a-z_]+$/);
      expect(message).toMatch(/\w/);
    }
    const { stdout, code } = await ran(['ingest', broken, '--org', org]);
    expect(stdout).toContain(`refused  ${broken}: `);
    expect(code).toBe(3);
  });

  it('takes in each mail of a mailbox file, with lines that were quoted in it', async () => {
    const org = await newOrganization();
    const path = given('reports.mbox', mboxOf(['m1', 'm2', 'm3'].map((id) => mailOf(gzipSync(xmlOf(id))))));
    expect(await json(['ingest', path, '--org', org])).toEqual({
      ...none,
      received: 3,
      stored: 3,
      reports: 3,
      records: 3,
    });
    const stored = await json(['intake', 'list', '--org', org]);
    expect(stored.map(({ name }: { name: string }) => name).toSorted()).toEqual([1, 2, 3].map((n) => `${path}#${n}`));
  });

  it('takes in what a Maildir has delivered, and not what is being written', async () => {
    const org = await newOrganization();
    const maildir = newPlace();
    given('new/1.a', mailOf(gzipSync(xmlOf('new'))), maildir);
    given('cur/2.b:2,S', mailOf(gzipSync(xmlOf('cur'))), maildir);
    given('tmp/3.c', 'From: half', maildir);
    expect(await json(['ingest', maildir, '--org', org])).toEqual({
      ...none,
      received: 2,
      stored: 2,
      reports: 2,
      records: 2,
    });
  });

  it.each<[string, (tar: Buffer) => Buffer]>([
    ['reports.tar', (tar) => tar],
    ['reports.tar.gz', gzipSync],
    ['reports.tgz', gzipSync],
  ])('takes in each member of %s', async (name, wrap) => {
    const org = await newOrganization();
    const tar = await tarOf({ 'x/t1.xml': xmlOf('t1'), 'x/t2.xml.gz': gzipSync(xmlOf('t2')) });
    expect(await json(['ingest', given(name, wrap(tar)), '--org', org])).toMatchObject({
      received: 2,
      stored: 2,
      reports: 2,
    });
  });

  it('takes in what comes on standard input', async () => {
    const org = await newOrganization();
    const one = await json(['ingest', '-', '--org', org], { input: gzipSync(xmlOf('piped')) });
    expect(one).toMatchObject({ received: 1, stored: 1, reports: 1 });
    const many = await json(['ingest', '-', '--org', org], {
      input: await tarOf({ 'a.xml': xmlOf('pa'), 'b.xml': xmlOf('pb') }),
    });
    expect(many).toMatchObject({ received: 2, stored: 2, reports: 2 });
  });

  it('goes on after a path that cannot be read, and says which', async () => {
    const org = await newOrganization();
    const missing = join(folder.path, 'not', 'there.xml');
    const damaged = given(
      'damaged.tar.gz',
      gzipSync(await tarOf({ 'a.xml': xmlOf('whole', 2000) })).subarray(0, 3_000),
    );
    const summary = await json(['ingest', missing, damaged, given('good.xml', xmlOf('good')), '--org', org], {}, 3);
    expect(summary).toMatchObject({ received: 3, stored: 1, refused: 2, reports: 1 });
    expect(summary.refusals).toMatchObject([
      { source: missing, code: 'unreadable', message: `It cannot be read: no such file or directory: ${missing}` },
      { source: damaged, code: 'unreadable' },
    ]);
  });

  it('goes on after a file that is too large, and one whose end is missing, and says which', async () => {
    const org = await newOrganization();
    const place = newPlace();
    const huge = given('huge.xml', '', place);
    truncateSync(huge, 2 * 1024 ** 3 + 1);
    given('good.xml', xmlOf('after a huge one'), place);
    const long = xmlOf('long', 40_000);
    expect(long.length).toBeGreaterThan(8 * 1024 ** 2);
    const cut = given('cut.tar', (await tarOf({ 'a.xml': long })).subarray(0, 8 * 1024 ** 2));
    const summary = await json(['ingest', place, cut, given('last.xml', xmlOf('the last')), '--org', org], {}, 3);
    expect(summary).toMatchObject({ stored: 2, duplicates: 0, reports: 2 });
    expect(summary.received).toBe(summary.stored + summary.duplicates + summary.refused);
    expect(summary.refusals).toContainEqual({
      source: huge,
      code: 'payload_too_large',
      message: 'It is larger than 2 GiB.',
    });
    expect(summary.refusals).toContainEqual(expect.objectContaining({ source: `${cut}/a.xml`, code: 'unreadable' }));
  });

  it('names a refused file alone, though the same bytes came before under another name', async () => {
    const org = await newOrganization();
    const [first, second] = [given('first.xml', 'no report'), given('second.xml', 'no report')];
    await json(['ingest', first, '--org', org], {}, 3);
    const { refusals } = await json(['ingest', second, '--org', org], {}, 3);
    expect(refusals).toMatchObject([{ source: second, code: 'not_a_report' }]);
  });

  it('stops when the user does not want to wait, and continues when called again', async () => {
    await using own = await cloneDatabase();
    const env = { DATABASE_URL: own.url, DATA_DIR: join(folder.path, 'data') };
    const org = await json(['org', 'create', 'Impatient'], env);
    const place = newPlace();
    for (let i = 0; i < 600; i += 1) given(`${i}.xml`, xmlOf(`patience ${i}`), place);
    const child = startCommand(['ingest', place, '--org', org.id], env);
    const stderr = text(child.stderr!);
    const received = own.db.selectFrom('raw_message').select('id').limit(1);
    await vi.waitFor(async () => expect(await received.execute()).toHaveLength(1), { timeout: 60_000, interval: 10 });
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(await stderr).toMatch(/^dmarc-ledger: Stopped\. .*\n$/);
    await json(['ingest', place, '--org', org.id], env);
    expect(await own.db.selectFrom('org_total').select(['reports', 'messages']).execute()).toEqual([
      { reports: 600, messages: 600 },
    ]);
  });

  it('stores nothing for an organization that there is not', async () => {
    const { code, stdout, stderr } = await ran(['ingest', given('x.xml', xmlOf('x')), '--org', 'Nobody']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('There is no organization Nobody');
  });
});

describe('intake', () => {
  it('prints every delivery’s story', async () => {
    const org = await newOrganization();
    const good = given('story.xml', xmlOf('story', 2));
    const bad = given('bad.xml', '<feedback>');
    await json(['ingest', good, bad, '--org', org], {}, 3);
    const [refused] = await json(['intake', 'list', '--org', org, '--state', 'refused']);
    expect(refused).toMatchObject({ name: bad, state: 'refused', code: expect.stringMatching(/^[a-z_]+$/) });
    expect(await json(['intake', 'list', '--org', org, '--code', refused.code])).toEqual([refused]);
    const [stored] = await json(['intake', 'list', '--org', org, '--state', 'stored']);
    const none = await ran(['intake', 'show', '01JZZZZZZZZZZZZZZZZZZZZZZZ', '--org', org]);
    expect(none).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/no delivery 01JZ{23};/) });
    expect(await json(['intake', 'show', stored.id, '--org', org])).toMatchObject({
      name: good,
      source: 'file',
      size: xmlOf('story', 2).length,
      parts: [{ kind: 'rua', outcome: 'stored', reports: [{ records: 2, messages: 2 }] }],
    });
    const table = await ran(['intake', 'list', '--org', org, '--limit', '1']);
    expect(table.stdout.trim().split('\n')).toHaveLength(2);
  });
});

describe.concurrent('audit', () => {
  it('finds no drift after an intake, finds what was falsified, and mends it', async () => {
    await using own = await cloneDatabase();
    const env = { DATABASE_URL: own.url };
    const { id } = await json(['org', 'create', 'Audited'], env);
    await json(['ingest', given('audited.xml', xmlOf('audited', 20)), '--org', id], env);
    expect(await json(['snapshot', 'rebuild', '--org', id, '--from', '2026-01-01'], env)).toEqual([
      { org: id, days: expect.any(Number) },
    ]);
    expect(await json(['audit'], env)).toMatchObject([
      { org: id, drift: 0, raw: { checked: 1, missing: 0, differing: [] } },
    ]);

    for (const table of [
      'source_domain_day',
      'source_total',
      'domain_day',
      'org_day',
      'org_total',
      'report_count_reporter',
    ])
      await sql`update ${sql.table(table)} set reports = reports + 1`.execute(own.db);
    const [found] = await json(['audit', '--org', id], env, 1);
    expect(found.drift).toBeGreaterThan(6);
    const { code, stdout } = await ran(['audit'], env);
    expect(stdout).toMatch(/Audited: drift [1-9]/);
    expect(code).toBe(1);

    expect(await json(['audit', '--repair'], env)).toMatchObject([{ drift: 0 }]);
    expect(await json(['audit'], env)).toMatchObject([{ drift: 0 }]);
  });

  it('is not content where the raw bytes are gone that should be there', async () => {
    await using own = await cloneDatabase();
    const env = { DATABASE_URL: own.url };
    const { id } = await json(['org', 'create', 'Bare'], env);
    await json(['ingest', given('bare.xml', xmlOf('bare', 2)), '--org', id], env);
    const place = newPlace();
    const elsewhere = { ...env, BLOB_URL: pathToFileURL(place).href };
    expect(await ran(['audit'], elsewhere)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Is its volume mounted?'),
    });
    mkdirSync(join(place, 'tmp'), { recursive: true }); // as that message says
    expect(await json(['audit'], elsewhere, 3)).toMatchObject([{ drift: 0, raw: { checked: 0, missing: 1 } }]);
    expect(await ran(['audit'], elsewhere)).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('1 reports cannot be read again'),
    });
  });

  it('finds a record that is not what its raw bytes say', async () => {
    await using own = await cloneDatabase();
    const env = { DATABASE_URL: own.url };
    const { id } = await json(['org', 'create', 'Falsified'], env);
    await json(['ingest', given('falsified.xml', xmlOf('falsified', 2)), '--org', id], env);
    await giveOwnDetails(own.db);
    await sql`update stored_record set header_from = 'elsewhere.example'`.execute(own.db);
    expect(await json(['audit'], env, 1)).toMatchObject([
      { drift: 1, raw: { checked: 1, differing: [expect.any(String)] } },
    ]);
  });
});
