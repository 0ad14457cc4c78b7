import { setOrganization } from '@dmarc-ledger/ledger';
import { longReportXml, reportMail, reportXml } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { previewReplay, receiveMessages, replayDeliveries } from '../src/index.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { openMailbox, type TestMailbox } from './mailboxes.ts';

/** The server that the mailbox trusts at first, whose name senders write, and the one that receives its mail. */
const FORMER = 'mx.former.example';
const SERVER = 'mx.ours.example';
let whole: Ledger;
let ledger: Ledger;
let mailbox: TestMailbox;
beforeAll(async () => {
  whole = await openLedger('Postgres');
});
afterAll(() => whole[Symbol.asyncDispose]());
beforeEach(async () => {
  ledger = await whole.another();
  mailbox = await openMailbox(ledger, { authservIds: [FORMER] });
});

const xmlOf = (count: number) => reportXml({ id: 'one', records: [{ ip: '192.0.2.1', count }] });
/** A mail as the server received it, and what another one seems to say of it. */
const mailOf = (
  verdict: 'pass' | 'fail',
  seeming: 'pass' | null,
  { subject = verdict as string, count = 7, day = 7 }: { subject?: string; count?: number; day?: number } = {},
) =>
  reportMail({
    xml: xmlOf(count),
    subject,
    receivedAt: new Date(Date.UTC(2026, 0, day)),
    authenticationResults: `${SERVER}; dmarc=${verdict} header.from=reporter.example`,
    headers: seeming ? [`Authentication-Results: ${FORMER}; dmarc=${seeming} header.from=reporter.example`] : [],
  });

/** Brings mails one after another, and returns their ids. */
async function bring(...mails: Buffer[]): Promise<string[]> {
  for (const mail of mails) {
    await mailbox.bring(mail);
    await ledger.settled();
  }
  const rows = await ledger.database.db
    .selectFrom('raw_message')
    .select('id')
    .where('org_id', '=', ledger.orgId)
    .orderBy('received_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Trusts these servers from now on: what they recorded is read as by a version that reads the header otherwise. */
async function trust(...servers: string[]): Promise<void> {
  await sql`update mailbox set authserv_ids = ${servers} where org_id = ${ledger.orgId}`.execute(ledger.database.db);
}

async function replay(scope: { id?: string } = {}) {
  const done = await replayDeliveries(ledger, ledger.orgId, scope);
  await ledger.settled();
  return done;
}

/** What is stored of the report, its copies, and the deliveries. */
async function stored() {
  const { db } = ledger.database;
  const { rows: reports } = await sql<{ messages: number; unauthenticated: boolean; warnings: string[] | null }>`
    select messages::integer as messages, coalesce(unauthenticated, false) as unauthenticated, (select array_agg(code
      order by code) from parse_warning w where w.org_id = r.org_id and w.report_id = r.id) as warnings
    from report r where org_id = ${ledger.orgId}`.execute(db);
  const { rows: copies } = await sql<{ authenticated: boolean | null }>`
    select authenticated from report_revision where org_id = ${ledger.orgId} order by payload_sha256`.execute(db);
  const { rows: deliveries } = await sql<{ state: string }>`
    select concat_ws(' ', state, code) as state from raw_message where org_id = ${ledger.orgId} order by 1`.execute(db);
  return {
    reports,
    copies: copies.map(({ authenticated }) => authenticated),
    deliveries: deliveries.map(({ state }) => state),
  };
}

/** Everything that is stored of reports, and how deliveries ended. */
async function rowsOf() {
  const { rows } = await sql<{ row: unknown }>`
    select to_jsonb(r) - 'version' as row from report r where org_id = ${ledger.orgId}
    union all select to_jsonb(v) - 'announced_at' from report_revision v where org_id = ${ledger.orgId}
    union all select to_jsonb(w) from parse_warning w where org_id = ${ledger.orgId}
    order by 1`.execute(ledger.database.db);
  return [...rows.map(({ row }) => row), (await stored()).deliveries];
}

const FORGED = { messages: 7, unauthenticated: true, warnings: ['report_mail_unauthenticated'] };
const GENUINE = { messages: 7, unauthenticated: false, warnings: null };

/** A second replay changes nothing, and the figures are right. */
async function isFinal(): Promise<void> {
  const before = await rowsOf();
  await replay();
  expect(await rowsOf()).toEqual(before);
  expect(await ledger.drift()).toBe(0);
  expect(ledger.faults).toEqual([]);
}

describe.each([
  ['passed', 'pass', true],
  ['was not checked', null, null],
] as const)('a forged report whose mail %s as it was read before', (_, seeming, before) => {
  const forged = mailOf('fail', seeming);

  it('is unauthenticated once its delivery is read again', async () => {
    await bring(forged);
    expect(await stored()).toMatchObject({ reports: [GENUINE], copies: [before] });
    await trust(SERVER);
    await replay();
    expect(await stored()).toEqual({ reports: [FORGED], copies: [false], deliveries: ['stored'] });
    await isFinal();
  });

  it('is held where such reports are held, as a dry run has foretold', async () => {
    await setOrganization(ledger.database, ledger.orgId, { unauthenticated: 'hold' });
    await bring(forged);
    await trust(SERVER);
    const preview = await previewReplay(ledger, ledger.orgId, {});
    const done = await replay();
    expect(await stored()).toEqual({ reports: [], copies: [], deliveries: ['refused report_held'] });
    expect(done.reports).toMatchObject({ removed: 1 });
    expect(preview.reports).toEqual(done.reports);
    expect(preview.deliveries).toEqual(done.deliveries);
    await isFinal();
  });

  it.each([
    ['after', (ids: string[]) => ids],
    ['before', (ids: string[]) => ids.toReversed()],
  ])('stays proven when its delivery is read again %s that of the mail that proves it', async (__, order) => {
    const ids = await bring(forged, mailOf('pass', null));
    await trust(SERVER);
    for (const id of order(ids)) await replay({ id });
    expect(await stored()).toMatchObject({ reports: [GENUINE], copies: [true], deliveries: ['duplicate', 'stored'] });
    await isFinal();
  });

  it.each([
    ['in the order of arrival', (ids: string[]) => ids],
    ['in the opposite order', (ids: string[]) => ids.toReversed()],
  ])('is unauthenticated once both deliveries with it are read again %s', async (__, order) => {
    const ids = await bring(forged, mailOf('fail', seeming, { subject: 'again' }));
    await trust(SERVER);
    const [first, last] = order(ids);
    await replay({ id: first! });
    expect(await stored()).toMatchObject({ reports: [GENUINE], copies: [before] });
    await replay({ id: last! });
    expect(await stored()).toMatchObject({ reports: [FORGED], copies: [false] });
    await isFinal();
  });

  it('is held in both deliveries with it', async () => {
    await setOrganization(ledger.database, ledger.orgId, { unauthenticated: 'hold' });
    await bring(forged, mailOf('fail', seeming, { subject: 'again' }));
    await trust(SERVER);
    await replay();
    expect(await stored()).toEqual({ reports: [], copies: [], deliveries: Array(2).fill('refused report_held') });
    await isFinal();
  });

  it.each([
    ['does not count', 8],
    ['counts', 6],
  ])('is held in both deliveries with it when another mail brings another content, which %s', async (__, day) => {
    await setOrganization(ledger.database, ledger.orgId, { unauthenticated: 'hold' });
    const other = mailOf('fail', seeming, { subject: 'other', count: 70, day });
    await bring(other, forged, mailOf('fail', seeming, { subject: 'again' }));
    expect((await stored()).reports).toMatchObject([{ messages: day === 8 ? 7 : 70 }]);
    await trust(SERVER);
    await replay();
    expect(await stored()).toEqual({ reports: [], copies: [], deliveries: Array(3).fill('refused report_held') });
    await isFinal();
  });

  it('is held in both deliveries with it when the genuine one counts', async () => {
    await setOrganization(ledger.database, ledger.orgId, { unauthenticated: 'hold' });
    const genuine = mailOf('pass', 'pass', { count: 70, day: 6 });
    await bring(genuine, forged, mailOf('fail', seeming, { subject: 'again' }));
    await trust(SERVER);
    await replay();
    expect(await stored()).toMatchObject({
      reports: [{ messages: 70, unauthenticated: false }],
      deliveries: ['refused report_held', 'refused report_held', 'stored'],
    });
    await isFinal();
  });

  it('is unknown, and not held, when its owner uploads the same content', async () => {
    await setOrganization(ledger.database, ledger.orgId, { unauthenticated: 'hold' });
    await bring(forged);
    await receiveMessages(ledger, ledger.orgId, [{ content: xmlOf(7), source: 'upload', name: null }]);
    await ledger.settled();
    await trust(SERVER);
    await replay();
    expect(await stored()).toMatchObject({ reports: [GENUINE], copies: [null] });
    await isFinal();
  });

  it('no longer counts in place of the genuine one', async () => {
    await bring(mailOf('fail', seeming, { count: 700, day: 6 }), mailOf('pass', null));
    expect((await stored()).reports).toMatchObject([{ messages: 700 }]);
    await trust(SERVER);
    await replay();
    const { reports, copies } = await stored();
    expect(reports).toEqual([{ ...GENUINE, warnings: ['duplicate_report_id_conflict'] }]);
    expect(new Set(copies)).toEqual(new Set([false, true]));
    await isFinal();
  });
});

it('a genuine report that passes stays proven when forged mail of it is read again', async () => {
  await trust(SERVER);
  const ids = await bring(mailOf('pass', null), mailOf('fail', null));
  for (const id of ids.toReversed()) await replay({ id });
  expect(await stored()).toMatchObject({ reports: [GENUINE], copies: [true] });
  await isFinal();
});

it('a replay that was ended early and then repeated ends in the same rows', async () => {
  const [id] = await bring(mailOf('fail', 'pass'), mailOf('fail', 'pass', { subject: 'again' }));
  await trust(SERVER);
  await replay({ id: id! });
  await replay();
  expect(await stored()).toMatchObject({ reports: [FORGED], copies: [false], deliveries: ['duplicate', 'stored'] });
  await isFinal();
});

it('a report that an older version took for one of Yahoo is unauthenticated after a replay', async () => {
  await trust(SERVER);
  await bring(
    reportMail({
      xml: reportXml({ id: 'one', email: 'x@dmarc.yahoo.com', reporter: 'Yahoo' }),
      from: 'anybody@yahoo.com',
      authenticationResults: `${SERVER}; dmarc=pass header.from=yahoo.com`,
    }),
  );
  // as an older version has stored it
  const { db } = ledger.database;
  await sql`with v as (update report_revision set authenticated = true where org_id = ${ledger.orgId}),
    w as (delete from parse_warning where org_id = ${ledger.orgId})
    update report set unauthenticated = false where org_id = ${ledger.orgId}`.execute(db);
  await replay();
  expect(await stored()).toMatchObject({ reports: [{ unauthenticated: true }], copies: [false] });
  await isFinal();
});

it('a report that is too long for memory is unauthenticated once its delivery is read again', async () => {
  const records = Array.from({ length: 100 }, (_, i) => ({ ip: `192.0.2.${i}`, count: 7 }));
  await bring(
    reportMail({
      xml: longReportXml({ id: 'long', records }),
      authenticationResults: `${SERVER}; dmarc=fail header.from=reporter.example`,
    }),
  );
  expect(await stored()).toMatchObject({ reports: [{ messages: 700, unauthenticated: false }], copies: [null] });
  await trust(SERVER);
  await replay();
  expect(await stored()).toMatchObject({ reports: [{ messages: 700, unauthenticated: true }], copies: [false] });
  await isFinal();
});
