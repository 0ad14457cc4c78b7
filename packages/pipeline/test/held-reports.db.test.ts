import { randomBytes, randomUUID } from 'node:crypto';
import {
  createOrganization,
  findUnauthenticatedDays,
  HELD_CODE,
  purgeBytes,
  rebuildRollups,
  releaseReports,
  removeBlobs,
  setOrganization,
} from '@dmarc-ledger/ledger';
import { reportMail, reportXml } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { previewReplay, replayDeliveries, type ReplaySummary } from '../src/index.ts';
import { driftOf, openLedger, receive, settled, type Ledger } from './ledger.ts';
import { zip } from './hostile-deliveries.ts';
import { openMailbox } from './mailboxes.ts';
import { numbers } from './purge-fixture.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
});
afterAll(() => ledger[Symbol.asyncDispose]());

const ALL = {};
const xmlOf = (id: string, count = 7, domain = 'example.com') =>
  reportXml({ id, domain, records: [{ ip: '192.0.2.1', count }] });
const mailOf = (xml: Buffer, verdict: 'pass' | 'fail' | null, subject?: string) =>
  reportMail({
    xml,
    ...(subject && { subject }),
    receivedAt: new Date('2026-01-02T00:00:00Z'),
    authenticationResults: verdict ? `mx.ours.example; dmarc=${verdict}` : undefined,
  });

/** An organization with a mailbox of its own, which counts or holds what failing mail brings. */
async function organization(unauthenticated: 'count' | 'hold') {
  const { database, blobs } = ledger;
  const { id: orgId } = await createOrganization(database.db, { name: randomUUID() });
  await setOrganization(database, orgId, { unauthenticated });
  const place = { database, blobs, orgId };
  const mailbox = await openMailbox(place, { authservIds: ['mx.ours.example'] });
  const { db } = database;
  return {
    ...place,
    async bring(...mails: Buffer[]) {
      await mailbox.bring(...mails);
      await settled(place);
    },
    async upload(...contents: Buffer[]) {
      await receive(place, ...contents);
      await settled(place);
    },
    async replay() {
      const [preview, done] = [await previewReplay(place, orgId, ALL), await replayDeliveries(place, orgId, ALL)];
      await settled(place);
      return { preview, done };
    },
    /** Messages that count, the codes of deliveries, and the rows that drift. */
    async state() {
      const { messages = 0 } =
        (await db.selectFrom('org_total').select('messages').where('org_id', '=', orgId).executeTakeFirst()) ?? {};
      const rows = await db
        .selectFrom('raw_message')
        .select(['state', 'code'])
        .where('org_id', '=', orgId)
        .orderBy('id')
        .execute();
      const deliveries = rows.map(({ state, code }) => (code === null ? state : `${state} ${code}`));
      return { messages, deliveries: deliveries.toSorted(), drift: await driftOf(place) };
    },
  };
}

const HELD = `refused ${HELD_CODE}`;

it.concurrent('a report in a mail that failed as the reporter’s is held, and everything else counts', async () => {
  const org = await organization('hold');
  await org.bring(
    mailOf(xmlOf('forged'), 'fail'),
    mailOf(xmlOf('genuine', 20), 'pass'),
    mailOf(xmlOf('bare', 300), null),
  );
  expect(await org.state()).toEqual({ messages: 320, deliveries: [HELD, 'stored', 'stored'], drift: 0 });
  await org.upload(xmlOf('own', 4_000));
  expect((await org.state()).messages).toBe(4_320);
});

it.concurrent.each([
  ['a mail that passed', (xml: Buffer) => mailOf(xml, 'pass')],
  ['a mail that was not checked', (xml: Buffer) => mailOf(xml, null)],
])('the same report in %s counts, whichever comes first', async (_, other) => {
  const mails = [mailOf(xmlOf('one'), 'fail'), other(xmlOf('one'))];
  const inOrder = async (inTurn: Buffer[]) => {
    const org = await organization('hold');
    for (const mail of inTurn) await org.bring(mail);
    expect(await org.state()).toMatchObject({ messages: 7, drift: 0 });
    await org.replay();
    expect(await org.state()).toMatchObject({ messages: 7, drift: 0 });
  };
  await Promise.all([inOrder(mails), inOrder(mails.toReversed())]);
});

it.concurrent('a held mail counts when its owner uploads it', async () => {
  const org = await organization('hold');
  const mail = mailOf(xmlOf('one'), 'fail');
  await org.bring(mail);
  expect((await org.state()).messages).toBe(0);
  await org.upload(mail);
  expect(await org.state()).toEqual({ messages: 7, deliveries: ['stored'], drift: 0 });
});

/** What a replay changes in figures; a conflict of copies that comes or goes shows only in the warnings. */
const figures = ({ deliveries, before, after, reports: { added, removed } }: ReplaySummary) => ({
  deliveries,
  before,
  after,
  added,
  removed,
});

it.concurrent('what is stored follows a switch by a replay, which a dry run has foretold', async () => {
  const org = await organization('count');
  const { db } = org.database;
  await org.bring(mailOf(xmlOf('forged'), 'fail'), mailOf(xmlOf('genuine', 20), 'pass'));
  // the forged copy of a genuine report competes with it only while it counts
  await org.bring(mailOf(xmlOf('genuine', 999), 'fail'));
  const codes = async () =>
    (await db.selectFrom('parse_warning').select('code').where('org_id', '=', org.orgId).orderBy('code').execute()).map(
      ({ code }) => code,
    );
  expect(await org.state()).toMatchObject({ messages: 27, drift: 0 });
  expect(await codes()).toEqual(['duplicate_report_id_conflict', 'report_mail_unauthenticated']);

  await setOrganization(org.database, org.orgId, { unauthenticated: 'hold' });
  expect((await org.state()).messages).toBe(27);
  const held = await org.replay();
  expect(held.done.reports).toMatchObject({ removed: 1 });
  expect(figures(held.preview)).toEqual(figures(held.done));
  expect(await org.state()).toEqual({ messages: 20, deliveries: [HELD, HELD, 'stored'], drift: 0 });
  expect(await codes()).toEqual([]);

  await setOrganization(org.database, org.orgId, { unauthenticated: 'count' });
  const counted = await org.replay();
  expect(counted.done.reports).toMatchObject({ added: 1 });
  expect(figures(counted.preview)).toEqual(figures(counted.done));
  expect(await org.state()).toMatchObject({ messages: 27, drift: 0 });
  expect(await codes()).toEqual(['duplicate_report_id_conflict', 'report_mail_unauthenticated']);
});

it.concurrent.each([
  ['a mail that passed brought another text that counts', 'pass', ['stored', HELD, HELD]],
  ['another mail brought another text that counts', 'fail', [HELD, HELD, HELD]],
] as const)('one replay holds each mail with a forged text where %s', async (_, verdict, expected) => {
  const org = await organization('count');
  await org.bring(mailOf(xmlOf('one', 70), verdict));
  await org.bring(mailOf(xmlOf('one', 7), 'fail'));
  await org.bring(mailOf(xmlOf('one', 7), 'fail', 'again'));
  await setOrganization(org.database, org.orgId, { unauthenticated: 'hold' });
  const held = await org.replay();
  expect(figures(held.preview)).toEqual(figures(held.done));
  const state = { messages: verdict === 'pass' ? 70 : 0, deliveries: expected.toSorted(), drift: 0 };
  expect(await org.state()).toEqual(state);
  await org.replay();
  expect(await org.state()).toEqual(state);
});

it.concurrent('a held report adds neither its domain nor its reporter, until it counts', async () => {
  const org = await organization('hold');
  const { db } = org.database;
  const named = async () => ({
    domains: (await db.selectFrom('domain').select('name').where('org_id', '=', org.orgId).execute()).length,
    reporters: (await db.selectFrom('reporter').select('name').where('org_id', '=', org.orgId).execute()).length,
  });
  await org.bring(mailOf(xmlOf('forged', 7, 'invented.example'), 'fail'));
  expect(await org.state()).toEqual({ messages: 0, deliveries: [HELD], drift: 0 });
  expect(await named()).toEqual({ domains: 0, reporters: 0 });
  await org.bring(mailOf(xmlOf('forged', 7, 'invented.example'), 'pass'));
  expect(await named()).toEqual({ domains: 1, reporters: 1 });
});

it.concurrent('a domain that only reports had added ends with the last one that is held, and returns', async () => {
  const org = await organization('count');
  const { db } = org.database;
  const monitored = async () =>
    (
      await db
        .selectFrom('domain')
        .select('name')
        .where('org_id', '=', org.orgId)
        .where('monitored', '=', true)
        .orderBy('name')
        .execute()
    ).map(({ name }) => name);
  await org.bring(mailOf(xmlOf('forged', 7, 'invented.example'), 'fail'));
  await org.bring(
    mailOf(xmlOf('genuine', 20, 'real.example'), 'pass'),
    mailOf(xmlOf('more', 3, 'real.example'), 'fail'),
  );
  expect(await monitored()).toEqual(['invented.example', 'real.example']);
  await setOrganization(org.database, org.orgId, { unauthenticated: 'hold' });
  await org.replay();
  expect(await org.state()).toMatchObject({ messages: 20, drift: 0 });
  expect(await monitored()).toEqual(['real.example']);
  expect(await releaseReports(db, org.orgId, { about: 'invented.example' })).toBe(1);
  await org.replay();
  expect(await org.state()).toMatchObject({ messages: 27, drift: 0 });
  expect(await monitored()).toEqual(['invented.example', 'real.example']);
});

it.concurrent('a released report counts, and stays so when everything is read again', async () => {
  const org = await organization('hold');
  const { db } = org.database;
  await org.bring(mailOf(xmlOf('a', 7, 'one.example'), 'fail'), mailOf(xmlOf('b', 20, 'two.example'), 'fail'));
  const scope = { code: HELD_CODE, about: 'two.example' };
  const preview = await previewReplay({ ...org, isReleased: true }, org.orgId, scope);
  expect(preview).toMatchObject({ reports: { added: 1 }, after: { messages: 20 } });
  expect(await releaseReports(db, org.orgId, { about: 'two.example' })).toBe(1);
  expect(await replayDeliveries(org, org.orgId, scope)).toEqual(preview);
  expect(await org.state()).toEqual({ messages: 20, deliveries: [HELD, 'stored'], drift: 0 });
  await org.replay();
  expect(await org.state()).toEqual({ messages: 20, deliveries: [HELD, 'stored'], drift: 0 });
  expect(await findUnauthenticatedDays(db, org.orgId, { days: 400 })).toMatchObject([
    { domain: 'two.example', messages: 20, unauthenticated: 20, reports: 1 },
  ]);
});

it.concurrent('a held report is released although another document of its delivery cannot be read', async () => {
  const org = await organization('hold');
  const broken = Buffer.from('<feedback><report_metadata></feedback>');
  await org.bring(mailOf(Buffer.concat([xmlOf('beside a broken one'), broken]), 'fail'));
  const { messages, deliveries } = await org.state();
  expect([messages, deliveries]).toEqual([0, [expect.stringMatching(/ xml_/)]]);
  expect(await releaseReports(org.database.db, org.orgId, { about: 'example.com' })).toBe(1);
  await replayDeliveries(org, org.orgId, { code: HELD_CODE, about: 'example.com' });
  expect(await org.state()).toMatchObject({ messages: 7, drift: 0 });
});

it.concurrent('the share of unauthenticated reports is that of a day, and the audit repairs their marks', async () => {
  const org = await organization('count');
  const { db } = org.database;
  await org.bring(mailOf(xmlOf('forged'), 'fail'), mailOf(xmlOf('genuine', 20), 'pass'));
  const share = () => findUnauthenticatedDays(db, org.orgId, { days: 400 });
  expect(await share()).toMatchObject([{ domain: 'example.com', messages: 27, unauthenticated: 7, reports: 1 }]);
  await db.updateTable('report').set({ unauthenticated: null }).where('org_id', '=', org.orgId).execute();
  expect((await org.state()).drift).toBe(1); // as an older version would have stored it
  await rebuildRollups(org.database, org.orgId);
  await settled(org);
  expect((await org.state()).drift).toBe(0);
  expect(await share()).toMatchObject([{ unauthenticated: 7 }]);
  await org.bring(mailOf(Buffer.concat([xmlOf('forged'), Buffer.from('\n')]), 'pass'));
  expect(await share()).toEqual([]);
});

it.concurrent('the better copy counts when its mail comes again, though the bytes of the first were deleted by age', async () => {
  const org = await organization('count');
  const { database, blobs, orgId } = org;
  await org.bring(mailOf(xmlOf('one', 900), null), mailOf(xmlOf('one', 7), null));
  expect(await org.state()).toMatchObject({ messages: 900, drift: 0 });
  await purgeBytes(database.db, orgId, new Date(Date.now() + 60_000));
  await removeBlobs(database, (sha256) => blobs.delete(sha256));
  await org.bring(mailOf(xmlOf('one', 7), 'pass'));
  expect(await org.state()).toMatchObject({ messages: 7, drift: 0 });
});

/** A mail of documents that failed as the reporter's. */
const failedMail = (documents: readonly Buffer[], subject: string) =>
  reportMail({
    attachment: {
      name: 'reports.zip',
      type: 'application/zip',
      bytes: zip(documents.map((data, i) => ({ name: `${i}.xml`, data }))),
    },
    subject,
    authenticationResults: 'mx.ours.example; dmarc=fail',
  });

/** The same report in so many MiB, which hardly shrink. */
function padded(xml: Buffer, mebibytes: number): Buffer {
  const unknown = numbers(0, mebibytes * 1_024).map(() => `<note>${randomBytes(508).toString('hex')}</note>`);
  return Buffer.from(xml.toString().replace('</report_metadata>', `${unknown.join('')}</report_metadata>`));
}

it.concurrent.each([
  ['more than is stored in one transaction', (xml: Buffer) => [padded(xmlOf('two', 9), 5), xml, xmlOf('three', 9)]],
  ['a report that is streamed', (xml: Buffer) => [padded(xml, 9)]],
])('a repeat of %s says itself that it is held', async (_, documents) => {
  const org = await organization('count');
  const { database, orgId } = org;
  const held = documents(xmlOf('one', 9));
  await org.bring(...['one', 'two', 'three'].map((id) => mailOf(xmlOf(id, 7), 'pass')));
  await org.bring(failedMail(held, 'first'));
  await org.bring(failedMail(held, 'again'));
  const deliveries = async () => (await org.state()).deliveries.toSorted();
  expect(await deliveries()).toContain('duplicate');
  await setOrganization(database, orgId, { unauthenticated: 'hold' });
  const [first] = await database.db
    .selectFrom('raw_message')
    .select('id')
    .where('org_id', '=', orgId)
    .orderBy('id')
    .offset(3)
    .execute();
  await replayDeliveries(org, orgId, { id: first!.id });
  await settled(org);
  expect(await deliveries()).toEqual([HELD, HELD, 'stored', 'stored', 'stored']);
});

it.concurrent.each([
  ['small', (xml: Buffer) => [xml, xml]],
  ['large', (xml: Buffer) => [padded(xmlOf('two', 9), 5), xml, xml]],
])('%s mails that hold a report twice are read once more, and then are held', async (_, documents) => {
  const org = await organization('count');
  const { database, orgId } = org;
  await org.bring(...['one', 'two'].map((id) => mailOf(xmlOf(id, 7), 'pass')));
  const held = documents(xmlOf('one', 9));
  await org.bring(failedMail(held, 'first'));
  await org.bring(failedMail(held, 'again'));
  await setOrganization(database, orgId, { unauthenticated: 'hold' });
  await org.replay();
  const { deliveries, messages } = await org.state();
  expect(messages).toBe(14);
  expect(deliveries.filter((ending) => ending.endsWith(HELD_CODE))).toHaveLength(2);
});

it.concurrent('a held report whose bytes were deleted by age counts when the owner brings the same mail again', async () => {
  const org = await organization('hold');
  const { database, blobs, orgId } = org;
  const mail = mailOf(xmlOf('one'), 'fail');
  await org.bring(mail);
  await purgeBytes(database.db, orgId, new Date(Date.now() + 60_000));
  await removeBlobs(database, (sha256) => blobs.delete(sha256));
  await org.bring(mail); // anyone can send it again
  expect(await org.state()).toMatchObject({ messages: 0 });
  await org.upload(mail);
  expect(await org.state()).toEqual({ messages: 7, deliveries: ['stored'], drift: 0 });
});
