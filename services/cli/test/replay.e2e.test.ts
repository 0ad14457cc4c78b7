import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openBlobs } from '@dmarc-ledger/blobs';
import { enterMessages, measureReports } from '@dmarc-ledger/ledger';
import { cloneDatabase, giveOwnDetails, reportMail, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { idText, parseId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCommandHost, startCommand } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { jsonOf } from '../../../test/support/json-of.ts';

const folder = temporaryFolder();
const host = openCommandHost();
const dataDir = join(folder.path, 'data');
let database: ClonedDatabase;
let organizations = 0;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => {
  host[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

// a killed process leaves jobs that the next one takes over, with a message
const env = () => ({ DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' });

const json = (args: string[], code = 0) => jsonOf(host.run([...args, '--json'], env()), code);

async function newOrganization(): Promise<string> {
  organizations += 1;
  return parseId((await json(['org', 'create', `Organization ${organizations}`])).id)!;
}

const replay = (orgId: string, ...args: string[]) => json(['intake', 'replay', '--org', orgId, ...args]);
const auditCode = async (orgId: string) => (await host.run(['audit', '--org', orgId], env())).code;

const RECORDS = [
  { ip: '192.0.2.1', count: 10, dkim: 'pass' as const },
  { ip: '192.0.2.2', count: 5 },
  { ip: '2001:db8::1', count: 3, reason: 'mailing_list' },
];

/** An organization with this many reports, stored and judged. */
async function givenReports(count: number, ...more: Buffer[]): Promise<string> {
  const orgId = await newOrganization();
  const place = join(folder.path, orgId);
  mkdirSync(place);
  for (let i = 0; i < count; i += 1)
    writeFileSync(join(place, `${i}.xml.gz`), gzipSync(reportXml({ id: `r-${i}`, records: RECORDS })));
  for (const [i, bytes] of more.entries()) writeFileSync(join(place, `more-${i}.xml`), bytes);
  expect(await json(['ingest', place, '--org', orgId])).toMatchObject({ stored: count + more.length, refused: 0 });
  return orgId;
}

/** The content of an organization's reports, and every rollup of them. */
async function ledgerOf(orgId: string) {
  const { db } = database;
  const reports = await db.selectFrom('report').select(['id', 'report_id']).where('org_id', '=', orgId).execute();
  const names = new Map(reports.map((report) => [report.id, report.report_id]));
  const measured = await measureReports(db, orgId, [...names.keys()]);
  const days = await db.selectFrom('domain_day').selectAll().where('org_id', '=', orgId).execute();
  const sources = await db
    .selectFrom('source_total')
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy('source_ip')
    .execute();
  const byName = measured.map(({ id, ...report }) => ({ name: names.get(id)!, ...report }));
  return {
    reports: byName.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    days: days.map((day) => ({ ...day, domain_id: null, revision: null })),
    sources,
  };
}

/** Rebuilds the rollups from the current rows, as an older reader would have left them. */
async function settleRollups(orgId: string): Promise<void> {
  await host.run(['audit', '--org', orgId, '--repair'], env());
}

const unchanged = (count: number) => ({ added: 0, changed: 0, rejudged: 0, removed: 0, unchanged: count });

it('changes nothing where today’s code says what is stored', async () => {
  // large enough to be streamed; few addresses and little failing mail, as judging is not tested
  const large = Array.from({ length: 13_000 }, (_, i) => ({
    ip: `10.0.${i % 20}.${i % 49}`,
    count: 1,
    dkim: i % 100 ? ('pass' as const) : ('fail' as const),
  }));
  const orgId = await givenReports(3, reportXml({ id: 'large', records: large }));
  const before = await ledgerOf(orgId);
  for (const more of [['--dry-run'], []]) {
    const summary = await replay(orgId, '--all', ...more);
    expect(summary).toMatchObject({
      deliveries: { read: 4, endings: [{ from: 'stored', to: 'stored', deliveries: 4 }], missing: [], held: 0 },
      reports: unchanged(4),
      before: { rows: 13_009, messages: 13_054 },
    });
    expect(summary.after).toEqual(summary.before);
  }
  expect(await ledgerOf(orgId)).toEqual(before);
  expect(await auditCode(orgId)).toBe(0);
}, 300_000);

it('restores what an older reader had read otherwise, and prints beforehand what it would do', async () => {
  const orgId = await givenReports(3);
  const right = await ledgerOf(orgId);
  await giveOwnDetails(database.db);
  await sql`update stored_record set messages = messages + 100, header_from = 'other.example'
    where org_id = ${orgId} and report_id in (select id from report where report_id in ('r-0', 'r-1')) and position = 1`.execute(
    database.db,
  );
  await sql`update report set messages = messages + 100, compliant = compliant + 100, dkim_pass = dkim_pass + 100
    where org_id = ${orgId} and report_id in ('r-0', 'r-1')`.execute(database.db);
  await sql`update report set metadata = metadata || '{"generator": "older"}' where org_id = ${orgId} and report_id = 'r-2'`.execute(
    database.db,
  );
  await settleRollups(orgId);
  const wrong = await ledgerOf(orgId);
  expect(wrong).not.toEqual(right);

  const preview = await replay(orgId, '--all', '--dry-run');
  expect(preview).toMatchObject({
    dry_run: true,
    reports: { ...unchanged(0), changed: 3 },
    before: { rows: 9, messages: 254 },
    after: { rows: 9, messages: 54 },
  });
  expect(await ledgerOf(orgId)).toEqual(wrong);

  const done = await replay(orgId, '--all');
  expect({ ...done, dry_run: true }).toEqual(preview);
  expect(await ledgerOf(orgId)).toEqual(right);
  expect(await auditCode(orgId)).toBe(0);
  expect(await replay(orgId, '--all')).toMatchObject({ reports: unchanged(3) });
});

it('restores what records have in common when it is missing', async () => {
  const orgId = await givenReports(3);
  const right = await ledgerOf(orgId);
  await sql`delete from record_detail where org_id = ${orgId}`.execute(database.db);
  expect(await auditCode(orgId)).toBe(1);
  await replay(orgId, '--all');
  expect(await ledgerOf(orgId)).toEqual(right);
  expect(await auditCode(orgId)).toBe(0);
});

it('has judged again what would be judged otherwise, and counts it no second time', async () => {
  const orgId = await givenReports(2);
  const right = await ledgerOf(orgId);
  await giveOwnDetails(database.db);
  await sql`update stored_record set class = 'suspicious', dkim_aligned = '{f}' where org_id = ${orgId} and position = 2`.execute(
    database.db,
  );
  await sql`insert into parse_warning (org_id, report_id, position, code)
    select org_id, id, 1000, 'older_finding' from report where org_id = ${orgId} and report_id = 'r-1'`.execute(
    database.db,
  );
  await settleRollups(orgId);
  const preview = await replay(orgId, '--state', 'stored', '--dry-run');
  expect(preview).toMatchObject({ reports: { ...unchanged(0), rejudged: 2 } });
  expect(preview.before.classes).toMatchObject({ suspicious: 10, needs_review: 0 });
  const done = await replay(orgId, '--state', 'stored');
  expect({ ...done, dry_run: true }).toEqual(preview);
  expect(await ledgerOf(orgId)).toEqual(right);
  expect(await auditCode(orgId)).toBe(0);
});

it('counts a report once whose identity today’s code makes otherwise', async () => {
  const orgId = await givenReports(2);
  const right = await ledgerOf(orgId);
  await sql`update report set identity = sha256(identity) where org_id = ${orgId} and report_id = 'r-0'`.execute(
    database.db,
  );
  const preview = await replay(orgId, '--all', '--dry-run');
  expect(preview).toMatchObject({ reports: { ...unchanged(1), added: 1, removed: 1 } });
  const done = await replay(orgId, '--all');
  expect({ ...done, dry_run: true }).toEqual(preview);
  expect(await ledgerOf(orgId)).toEqual(right);
  expect(await auditCode(orgId)).toBe(0);
});

it('takes in what was refused or set aside, once it can be read', async () => {
  const orgId = await newOrganization();
  const blobs = await openBlobs(pathToFileURL(join(dataDir, 'blobs')).href);
  const contents = ['a', 'b'].map((id) => reportXml({ id, records: RECORDS }));
  const messages = await Promise.all(
    contents.map(async (bytes) => ({ ...(await blobs.put(bytes)), source: 'file' as const, name: null })),
  );
  const [refused, setAside] = await enterMessages(database.db, orgId, messages);
  const end = (id: string, state: 'refused' | 'quarantined', code: string) =>
    database.db
      .updateTable('raw_message')
      .set({ state, code, attempts_started: 4, parts: '[]' })
      .where('id', '=', id)
      .execute();
  await end(refused!.id, 'refused', 'xml_malformed');
  await end(setAside!.id, 'quarantined', 'quarantined');

  const expected = {
    deliveries: { read: 1, endings: [{ from: 'refused xml_malformed', to: 'stored', deliveries: 1 }] },
    reports: { ...unchanged(0), added: 1 },
    after: { rows: 3, messages: 18, classes: { authenticated: 10, likely_forwarded: 3, needs_review: 5 } },
  };
  expect(await replay(orgId, '--code', 'xml_malformed', '--dry-run')).toMatchObject(expected);
  expect(await replay(orgId, '--code', 'xml_malformed')).toMatchObject(expected);
  expect(await replay(orgId, '--id', idText(setAside!.id))).toMatchObject({ reports: { added: 1 } });
  expect(await auditCode(orgId)).toBe(0);
});

it('assigns an unassigned delivery to the organization that monitors its domain by now', async () => {
  const [owner, tenant] = [await newOrganization(), await newOrganization()];
  const { db } = database;
  const { rows } = await sql<{ id: string }>`
    insert into mailbox (org_id, id, host, port, tls, username, folder, auth, secret, after_intake, processed_folder, refused_folder, shared, authserv_ids)
    values (${owner}, gen_random_uuid(), 'imap.example', 993, 'implicit', 'u', 'INBOX', 'password', '', 'leave', 'p', 'r', true, '{}') returning id`.execute(
    db,
  );
  const blobs = await openBlobs(pathToFileURL(join(dataDir, 'blobs')).href);
  const mail = reportMail({ xml: reportXml({ domain: 'late.example', records: RECORDS }) });
  await enterMessages(db, owner, [
    { ...(await blobs.put(mail)), source: 'mailbox', name: null, mailboxId: rows[0]!.id },
  ]);
  writeFileSync(join(folder.path, 'own.xml'), reportXml({ domain: 'own.example' }));
  await json(['ingest', join(folder.path, 'own.xml'), '--org', owner]);
  expect(await json(['intake', 'list', '--org', owner, '--code', 'unknown_domain'])).toHaveLength(1);

  expect(await replay(owner, '--code', 'unknown_domain', '--dry-run')).toMatchObject({
    deliveries: { endings: [{ from: 'refused unknown_domain', to: 'refused unknown_domain' }] },
  });
  await host.run(['domain', 'add', 'late.example', '--org', tenant], env());
  const expected = {
    deliveries: { endings: [{ from: 'refused unknown_domain', to: 'assigned', deliveries: 1 }] },
    reports: unchanged(0),
  };
  expect(await replay(owner, '--code', 'unknown_domain', '--dry-run')).toMatchObject(expected);
  expect(await json(['intake', 'list', '--org', tenant])).toEqual([]);
  expect(await replay(owner, '--code', 'unknown_domain')).toMatchObject(expected);
  expect((await ledgerOf(tenant)).reports).toMatchObject([{ rows: 3, messages: 18 }]);
  expect(await replay(owner, '--state', 'assigned')).toMatchObject({
    deliveries: { endings: [{ from: 'assigned', to: 'assigned' }] },
  });
  expect((await ledgerOf(tenant)).reports).toMatchObject([{ rows: 3, messages: 18 }]);
});

it('leaves alone what has no bytes any more, says so, and ends with 3', async () => {
  const orgId = await givenReports(2);
  const before = await ledgerOf(orgId);
  const { sha256, id } = await database.db
    .selectFrom('raw_message')
    .select(['sha256', 'id'])
    .where('org_id', '=', orgId)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const blobs = await openBlobs(pathToFileURL(join(dataDir, 'blobs')).href);
  const bytes = await (await blobs.get(sha256)).bytes();
  await blobs.delete(sha256);
  for (const more of [['--dry-run'], []]) {
    const summary = await json(['intake', 'replay', '--org', orgId, '--all', ...more], 3);
    expect(summary.deliveries).toMatchObject({ read: 1, missing: [{ code: 'blob_missing' }] });
    expect(parseId(summary.deliveries.missing[0].id)).toBe(id);
  }
  expect(await ledgerOf(orgId)).toEqual(before);
  await blobs.put(bytes);
});

it('may be killed at any time and run again', async () => {
  const REPORTS = 40;
  const orgId = await givenReports(REPORTS);
  const right = await ledgerOf(orgId);
  await sql`update stored_record set messages = messages + 1 where org_id = ${orgId} and position = 1`.execute(
    database.db,
  );
  await sql`update report set messages = messages + 1, compliant = compliant + 1, dkim_pass = dkim_pass + 1 where org_id = ${orgId}`.execute(
    database.db,
  );
  await settleRollups(orgId);
  const wrong = async () => {
    const rows = database.db.selectFrom('report').select('id').where('org_id', '=', orgId).where('messages', '=', 19);
    return (await rows.execute()).length;
  };
  expect(await wrong()).toBe(REPORTS);
  for (const left of [REPORTS, REPORTS - 1, REPORTS / 2, 1]) {
    const running = startCommand(['intake', 'replay', '--org', orgId, '--all'], env(), { detached: true });
    const ended = once(running, 'exit');
    if (left === REPORTS) await sleep(700); // it has begun, and restored none
    else while ((await wrong()) > left && running.exitCode === null) await sleep(10);
    if (running.exitCode === null) process.kill(-running.pid!, 'SIGKILL');
    await ended;
  }
  const last = await host.run(['intake', 'replay', '--org', orgId, '--all'], env());
  expect(last.code).toBe(0); // it may warn of jobs that it took over from a killed process
  expect(await ledgerOf(orgId)).toEqual(right);
  expect(await auditCode(orgId)).toBe(0);
});

it.each<[string, string[], RegExp]>([
  ['no deliveries are named', [], /Say which deliveries/],
  ['all and some are named', ['--all', '--code', 'x'], /Say which deliveries/],
  ['an instant is none', ['--since', 'yesterday'], /yesterday is not an instant/],
  ['an id is none', ['--id', 'x'], /x is not the id of a delivery/],
])('says what is wrong when %s', async (_, args, message) => {
  const { code, stderr } = await host.run(['intake', 'replay', '--org', 'Organization 1', ...args], env());
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
});

it('says so when there is no such delivery, and shows people a table', async () => {
  const orgId = await givenReports(1);
  const unknown = await host.run(['intake', 'replay', '--org', orgId, '--id', '01JZZZZZZZZZZZZZZZZZZZZZZZ'], env());
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringMatching(/no delivery/) });
  const { stdout, code } = await host.run(
    ['intake', 'replay', '--org', orgId, '--since', '2020-01-01', '--dry-run'],
    env(),
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/deliveries +from +to\n1 +stored +stored\n\nreports +added/);
  expect(await replay(orgId, '--since', '2099-01-01')).toMatchObject({ deliveries: { read: 0 } });
});
