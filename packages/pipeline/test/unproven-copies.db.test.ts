import { randomUUID } from 'node:crypto';
import {
  createOrganization,
  HELD_CODE,
  IMPORT_HELD_CODE,
  measureProof,
  purgeBytes,
  rebuildRollups,
  releaseReports,
  removeBlobs,
  setOrganization,
} from '@dmarc-ledger/ledger';
import { reportMail, reportXml } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receiveMessages, replayDeliveries } from '../src/index.ts';
import { driftOf, openLedger, receive, settled, type Ledger } from './ledger.ts';
import { zip } from './hostile-deliveries.ts';
import { openMailbox } from './mailboxes.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
});
afterAll(() => ledger[Symbol.asyncDispose]());

const xmlOf = (id: string, count: number, domain = 'example.com') =>
  reportXml({ id, domain, records: [{ ip: '192.0.2.1', count }] });
const mailOf = (xml: Buffer, verdict: 'pass' | 'fail' | null = null) =>
  reportMail({
    xml,
    receivedAt: new Date('2026-01-02T00:00:00Z'),
    authenticationResults: verdict ? `mx.ours.example; dmarc=${verdict}` : undefined,
  });

/** An organization with a mailbox of its own. */
async function organization(unauthenticated: 'count' | 'hold' = 'count') {
  const { database, blobs } = ledger;
  const { id: orgId } = await createOrganization(database.db, { name: randomUUID() });
  await setOrganization(database, orgId, { unauthenticated });
  const place = { database, blobs, orgId };
  const mailbox = await openMailbox(place, { authservIds: ['mx.ours.example'] });
  const { db } = database;
  const take = async (isReleased: boolean, contents: Buffer[]) => {
    const arrivals = contents.map((content) => ({ content, source: 'import' as const, name: null, isReleased }));
    await receiveMessages(place, orgId, arrivals);
    await settled(place);
  };
  return {
    ...place,
    hold: (...contents: Buffer[]) => take(false, contents),
    count: (...contents: Buffer[]) => take(true, contents),
    async mail(...mails: Buffer[]) {
      await mailbox.bring(...mails);
      await settled(place);
    },
    async upload(...contents: Buffer[]) {
      await receive(place, ...contents);
      await settled(place);
    },
    async release() {
      await releaseReports(db, orgId, { isImported: true });
      await replayDeliveries(place, orgId, { code: IMPORT_HELD_CODE });
      await settled(place);
    },
    async replay() {
      await replayDeliveries(place, orgId, {});
      await settled(place);
    },
    /** Messages that count, those that rest on imports, the number of reports, and the rows that drift. */
    async state() {
      const { messages = 0 } =
        (await db.selectFrom('org_total').select('messages').where('org_id', '=', orgId).executeTakeFirst()) ?? {};
      const reports = await db.selectFrom('report').select('unproven').where('org_id', '=', orgId).execute();
      const { proven, imported } = await measureProof(db, orgId);
      expect(proven + imported).toBe(messages);
      return { messages, imported, reports: reports.length, drift: await driftOf(place) };
    },
    async codes() {
      const rows = await db
        .selectFrom('raw_message')
        .select(['state', 'code'])
        .where('org_id', '=', orgId)
        .orderBy('id')
        .execute();
      return rows.map(({ state, code }) => (code === null ? state : `${state} ${code}`));
    },
  };
}

it.concurrent('an import is held until a person releases it', async () => {
  const org = await organization();
  await org.hold(xmlOf('one', 7));
  expect(await org.state()).toEqual({ messages: 0, imported: 0, reports: 0, drift: 0 });
  expect(await org.codes()).toEqual([`refused ${IMPORT_HELD_CODE}`]);
  await releaseReports(ledger.database.db, org.orgId, {}); // of mail
  await org.replay();
  expect((await org.state()).messages).toBe(0);
  await org.release();
  expect(await org.state()).toEqual({ messages: 7, imported: 7, reports: 1, drift: 0 });
  await org.replay();
  expect(await org.state()).toEqual({ messages: 7, imported: 7, reports: 1, drift: 0 });
});

it.concurrent('an import that is to count does so at once, also when an earlier one held it', async () => {
  const org = await organization();
  await org.hold(xmlOf('one', 7));
  await org.count(xmlOf('one', 7), xmlOf('two', 20));
  expect(await org.state()).toEqual({ messages: 27, imported: 27, reports: 2, drift: 0 });
  await org.hold(xmlOf('one', 7), xmlOf('two', 20));
  expect(await org.state()).toEqual({ messages: 27, imported: 27, reports: 2, drift: 0 });
});

type Organization = Awaited<ReturnType<typeof organization>>;

const ways: [string, (org: Organization, xml: Buffer) => Promise<void>][] = [
  ['mail that passed', (org, xml) => org.mail(mailOf(xml, 'pass'))],
  ['mail that was not checked', (org, xml) => org.mail(mailOf(xml))],
  ['mail that failed', (org, xml) => org.mail(mailOf(xml, 'fail'))],
  ['upload', (org, xml) => org.upload(xml)],
];

it.concurrent.each(ways)(
  'the same report by %s counts in place of the unproven copy, whichever comes first',
  async (_, bring) => {
    const inOrder = async (sentId: string, order: number) => {
      const org = await organization();
      const steps = [() => org.count(xmlOf('one', 5_000)), () => bring(org, xmlOf(sentId, 7))];
      for (const step of order === 0 ? steps : steps.toReversed()) await step();
      expect(await org.state()).toEqual({ messages: 7, imported: 0, reports: 1, drift: 0 });
      await org.replay();
      expect(await org.state()).toEqual({ messages: 7, imported: 0, reports: 1, drift: 0 });
      await bring(org, xmlOf(sentId, 7));
      await org.count(xmlOf('one', 5_000));
      expect(await org.state()).toEqual({ messages: 7, imported: 0, reports: 1, drift: 0 });
    };
    await Promise.all(['one', 'one@reporter.example'].flatMap((sentId) => [inOrder(sentId, 0), inOrder(sentId, 1)]));
  },
);

it.concurrent('an import after the mail adds nothing, and is not held either', async () => {
  const org = await organization();
  await org.mail(mailOf(xmlOf('one@reporter.example', 7), 'pass'), mailOf(xmlOf('two', 20)));
  await org.hold(xmlOf('one', 7), xmlOf('two', 30));
  expect(await org.state()).toEqual({ messages: 27, imported: 0, reports: 2, drift: 0 });
  expect(await org.codes()).toEqual(['stored', 'stored', 'duplicate', 'duplicate']);
  await org.release();
  expect((await org.state()).messages).toBe(27);
});

it.concurrent.each(ways)(
  'content equal to an import is not marked when it comes by %s, whichever comes first',
  async (_, bring) => {
    const xml = xmlOf('one', 7);
    const inOrder = async (order: number) => {
      const org = await organization();
      const steps = [() => org.count(xml), () => bring(org, xml)];
      for (const step of order === 0 ? steps : steps.toReversed()) await step();
      expect(await org.state()).toEqual({ messages: 7, imported: 0, reports: 1, drift: 0 });
    };
    await Promise.all([inOrder(0), inOrder(1)]);
  },
);

it.concurrent.each([
  ['an import that counts', 7, (org: Organization, xml: Buffer) => org.count(xml)],
  ['upload', 0, (org: Organization, xml: Buffer) => org.upload(xml)],
])('a held import whose bytes were deleted by age counts when it comes again by %s', async (_, imported, bring) => {
  const org = await organization();
  const xml = xmlOf('one', 7);
  await org.hold(xml);
  await purgeBytes(org.database.db, org.orgId, new Date(Date.now() + 60_000));
  await removeBlobs(org.database, (sha256) => org.blobs.delete(sha256));
  await bring(org, xml);
  expect(await org.state()).toEqual({ messages: 7, imported, reports: 1, drift: 0 });
});

it.concurrent('a held report is released by its domain however many others of its archive are held', async () => {
  const org = await organization();
  const { db } = ledger.database;
  const member = (data: Buffer, i: number) => ({ name: `${i}.xml`, data });
  const held = Array.from({ length: 121 }, (_, i) => xmlOf(`${i}`, 1, i < 120 ? 'first.example' : 'last.example'));
  await org.hold(zip([Buffer.from('<feedback'), ...held].map(member)));
  const { parts } = await db
    .selectFrom('raw_message')
    .select('parts')
    .where('org_id', '=', org.orgId)
    .executeTakeFirstOrThrow();
  expect(parts).toHaveLength(102);
  expect(parts?.at(-1)).toMatchObject({
    code: 'more_refusals',
    message: '21 more parts of the delivery were refused.',
  });
  expect(await releaseReports(db, org.orgId, { about: 'last.example', isImported: true })).toBe(1);
  await replayDeliveries(org, org.orgId, { code: IMPORT_HELD_CODE, about: 'last.example' });
  await settled(org);
  expect(await org.state()).toEqual({ messages: 121, imported: 121, reports: 121, drift: 0 });
});

it.concurrent('an organization that holds unauthenticated mail holds it also when it has the report of an import', async () => {
  const org = await organization('hold');
  await org.count(xmlOf('one', 7));
  await org.mail(mailOf(xmlOf('one', 5_000), 'fail'));
  expect(await org.state()).toEqual({ messages: 7, imported: 7, reports: 1, drift: 0 });
  expect(await org.codes()).toEqual(['stored', `refused ${HELD_CODE}`]);
});

it.concurrent.each([5_100])(
  'a report of %i records is held, counted and replaced like a small one',
  async (records) => {
    // more than are stored in one statement, of few addresses, as judging is not tested
    const many = Array.from({ length: records }, (_, i) => ({ ip: `10.0.0.${i % 50}`, count: 1 }));
    const large = (id: string) => reportXml({ id, records: many });
    const org = await organization();
    await org.hold(large('one'));
    expect(await org.state()).toEqual({ messages: 0, imported: 0, reports: 0, drift: 0 });
    await org.release();
    expect(await org.state()).toEqual({ messages: records, imported: records, reports: 1, drift: 0 });
    await org.upload(xmlOf('one@reporter.example', 7));
    expect(await org.state()).toEqual({ messages: 7, imported: 0, reports: 1, drift: 0 });
    await org.upload(large('two@reporter.example'));
    await org.count(xmlOf('two', 9), large('two'));
    expect(await org.state()).toEqual({ messages: records + 7, imported: 0, reports: 2, drift: 0 });
    await org.count(xmlOf('three', 9));
    await org.upload(large('three@reporter.example'));
    expect(await org.state()).toEqual({ messages: 2 * records + 7, imported: 0, reports: 3, drift: 0 });
  },
);

it.concurrent('two tools that kept the same report count it once', async () => {
  const org = await organization();
  await org.count(xmlOf('one', 7));
  await org.count(xmlOf('one@reporter.example', 8));
  await settled(org);
  expect(await org.state()).toMatchObject({ reports: 1, drift: 0 });
});

it.concurrent.each([
  ['the kept copy comes', ['one', 'one@reporter.example']],
  ['the report comes', ['one@reporter.example', 'one']],
])('a report has the id that the reporter gave it when %s first', async (_, [first = '', second = '']) => {
  const org = await organization();
  for (const id of [first, second]) await (id === 'one' ? org.count(xmlOf(id, 7)) : org.upload(xmlOf(id, 7)));
  const stored = await org.database.db
    .selectFrom('report')
    .select(['report_id', 'metadata'])
    .where('org_id', '=', org.orgId)
    .execute();
  expect(stored).toMatchObject([{ report_id: 'one@reporter.example', metadata: { reportId: 'one@reporter.example' } }]);
});

it.concurrent('a kept copy and the report that arrive at the same time count once', async () => {
  const org = await organization();
  const arrival = (content: Buffer, source: 'import' | 'file') => ({ content, source, name: null, isReleased: true });
  const both = (id: string) => [arrival(xmlOf(id, 5_000), 'import'), arrival(xmlOf(`${id}@a.example`, 7), 'file')];
  // entered together, so they are stored in one transaction
  await receiveMessages(org, org.orgId, [...both('one'), ...both('two').toReversed()]);
  await receiveMessages(org, org.orgId, [
    arrival(xmlOf('three', 9), 'import'),
    arrival(xmlOf('three@a.example', 9), 'import'),
  ]);
  await settled(org);
  expect(await org.state()).toEqual({ messages: 23, imported: 9, reports: 3, drift: 0 });
  await org.replay();
  expect(await org.state()).toEqual({ messages: 23, imported: 9, reports: 3, drift: 0 });
});

it.concurrent('the kept copies of two tools, which count one report, count it once however often they are read', async () => {
  const pairs = [
    [7, 8],
    [10, 11],
    [12, 13],
    [14, 15],
  ] as const;
  const keptBoth = async ([first, second]: readonly [number, number]) => {
    const org = await organization();
    await org.count(xmlOf('one', first));
    await org.count(xmlOf('one@reporter.example', second));
    const { messages } = await org.state();
    await org.replay();
    expect(await org.state()).toEqual({ messages, imported: messages, reports: 1, drift: 0 });
    await org.count(xmlOf('one', 9));
    expect(await org.state()).toMatchObject({ reports: 1, drift: 0 });
  };
  await Promise.all(pairs.map(keptBoth));
});

it.concurrent('a kept copy that counts again, because the mail is held by now, counts once however often it is read', async () => {
  const org = await organization();
  await org.count(xmlOf('one', 7));
  await org.mail(mailOf(xmlOf('one@reporter.example', 5_000), 'fail'));
  expect(await org.state()).toEqual({ messages: 5_000, imported: 0, reports: 1, drift: 0 });
  await setOrganization(ledger.database, org.orgId, { unauthenticated: 'hold' });
  for (let times = 0; times < 2; times += 1) {
    await org.replay();
    expect(await org.state()).toEqual({ messages: 7, imported: 7, reports: 1, drift: 0 });
  }
  await setOrganization(ledger.database, org.orgId, { unauthenticated: 'count' });
  await org.replay();
  expect(await org.state()).toEqual({ messages: 5_000, imported: 0, reports: 1, drift: 0 });
});

describe('an import beside a mail that is held afterwards', () => {
  const beside = async (order: 'import first' | 'mail first') => {
    const org = await organization();
    const bring = [
      () => org.hold(xmlOf('one', 7)),
      () => org.mail(mailOf(xmlOf('one@reporter.example', 5_000), 'fail')),
    ];
    for (const step of order === 'import first' ? bring : bring.toReversed()) await step();
    await org.replay();
    expect((await org.codes()).toSorted()).toEqual(['duplicate', 'stored']);
    await setOrganization(ledger.database, org.orgId, { unauthenticated: 'hold' });
    return org;
  };
  const readAgain = async (org: Organization, source: 'mailbox') => {
    const { db } = ledger.database;
    const { id } = await db
      .selectFrom('raw_message')
      .select('id')
      .where('org_id', '=', org.orgId)
      .where('source', '=', source)
      .executeTakeFirstOrThrow();
    await replayDeliveries(org, org.orgId, { id });
    await settled(org);
  };
  it.concurrent.for(['import first', 'mail first'] as const)(
    'is held too (%s), and counts once it is released',
    async (order, { expect }) => {
      const org = await beside(order);
      await readAgain(org, 'mailbox');
      const codes = async () => (await org.codes()).toSorted();
      await expect.poll(codes, { timeout: 30_000 }).toEqual([`refused ${IMPORT_HELD_CODE}`, `refused ${HELD_CODE}`]);
      expect(await org.state()).toEqual({ messages: 0, imported: 0, reports: 0, drift: 0 });
      await org.release();
      expect(await org.state()).toEqual({ messages: 7, imported: 7, reports: 1, drift: 0 });
      await setOrganization(ledger.database, org.orgId, { unauthenticated: 'count' });
      await org.replay();
      expect(await org.state()).toEqual({ messages: 5_000, imported: 0, reports: 1, drift: 0 });
    },
  );
});

it.concurrent('a wrong mark shows as drift, and a repair corrects it', async () => {
  const org = await organization();
  await org.count(xmlOf('one', 7));
  await ledger.database.db.updateTable('report').set({ unproven: false }).where('org_id', '=', org.orgId).execute();
  expect((await org.state()).drift).toBe(1);
  await rebuildRollups(ledger.database, org.orgId);
  await settled(org);
  expect(await org.state()).toEqual({ messages: 7, imported: 7, reports: 1, drift: 0 });
});
