import { randomInt } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { createOrganization, openClaimant, releaseDeadClaims, requeueDeliveries } from '@dmarc-ledger/ledger';
import { type MessagePart, openDatabase, transact } from '@dmarc-ledger/schema';
import { longReportXml, reportMail, reportXml } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { takeIn } from '../src/index.ts';
import { LongLane } from '../src/intake/long-lane.ts';
import { zip } from './hostile-deliveries.ts';
import { openMailbox } from './mailboxes.ts';
import { findOrgTotal, findReports } from './reads.ts';
import { archiveOf, openIntake, PATIENCE, type TestIntake } from './taken-in.ts';

const outcomes = (parts: readonly MessagePart[] | null) => (parts ?? []).map(({ outcome, code }) => code ?? outcome);

it('takes an archive of hundreds of reports that its owner hands in, whatever number of transactions it takes', async () => {
  await using fixture = await openIntake();
  await fixture.handIn(archiveOf(220));
  await fixture.take();
  expect(await fixture.deliveries()).toMatchObject([{ state: 'stored', code: null, parts: { length: 220 } }]);
  expect((await findOrgTotal(fixture)).reports).toBe(220);
  expect([await fixture.drift(), fixture.faults]).toEqual([0, []]);
});

it('takes of a mail the first documents, and says that there were more', async () => {
  await using fixture = await openIntake();
  const inner = archiveOf(8);
  const several = Array.from({ length: 9 }, (_, i) =>
    zip(Array.from({ length: 8 }, (__, j) => ({ name: `${j}.xml`, data: reportXml({ id: `${i}-${j}` }) }))),
  );
  const bytes = zip([inner, ...several].map((data, i) => ({ name: `${i}.zip`, data })));
  await fixture.handIn(reportMail({ attachment: { name: 'a.zip', type: 'application/zip', bytes } }), 'mailbox');
  await fixture.take();
  const [{ state, parts } = { state: '', parts: null }] = await fixture.deliveries();
  expect(state).toBe('stored');
  expect(Object.groupBy(outcomes(parts), (outcome) => outcome)).toMatchObject({
    stored: { length: 32 },
    too_many_documents: { length: 1 },
  });
});

it('counts every report once when a delivery ends in its middle and is taken in again', async () => {
  await using fixture = await openIntake();
  await fixture.handIn(archiveOf(180));
  await sql`create function fails() returns trigger language plpgsql as 'begin raise exception ''not now''; end'`.execute(
    fixture.database.db,
  );
  await sql`create trigger fails before insert on report for each row when (new.report_id = 'doc-130') execute function fails()`.execute(
    fixture.database.db,
  );
  await fixture.take();
  expect((await findOrgTotal(fixture)).reports).toBe(100);
  await sql`drop trigger fails on report`.execute(fixture.database.db);
  await fixture.take();
  const [{ state, parts } = { state: '', parts: null }] = await fixture.deliveries();
  expect([state, new Set(outcomes(parts)), parts?.length]).toEqual(['stored', new Set(['stored']), 180]);
  expect([(await findOrgTotal(fixture)).reports, await fixture.drift()]).toEqual([180, 0]);
});

it('lists a hundred of a delivery’s hundreds of broken documents, and how many more there were', async () => {
  await using fixture = await openIntake();
  const broken = Array.from({ length: 150 }, (_, i) => ({ name: `${i}.xml`, data: Buffer.from(`<feedback>${i}`) }));
  await fixture.handIn(zip([...broken, { name: 'good.xml', data: reportXml({ id: 'good' }) }]));
  await fixture.take();
  const [{ state, parts } = { state: '', parts: null }] = await fixture.deliveries();
  expect(state).toBe('stored');
  expect(parts).toHaveLength(102);
  expect(parts?.at(-1)).toMatchObject({
    code: 'more_refusals',
    message: '50 more parts of the delivery were refused.',
  });
});

it('takes a report id of 200 kB, and what else is in the delivery', async () => {
  await using fixture = await openIntake();
  const id = Array.from({ length: 65_000 }, () => String.fromCodePoint(randomInt(0x4e00, 0x9fff))).join('');
  await fixture.handIn(
    zip([
      { name: 'a.xml', data: reportXml({ id }) },
      { name: 'b.xml', data: reportXml({ id: 'beside' }) },
    ]),
  );
  await fixture.take();
  expect(await fixture.deliveries()).toMatchObject([{ state: 'stored', code: null }]);
  expect((await findReports(fixture, {})).total).toBe(2);
  expect(fixture.faults).toEqual([]);
});

it.each([
  ['small', 1, reportXml],
  ['streamed', 4_000, longReportXml],
])('refuses a %s report that the database cannot hold, and takes what is beside it', async (_, count, xmlOf) => {
  const records = Array.from({ length: count }, (__, i) => ({ ip: `192.0.2.${i % 256}`, count: 2 }));
  await using fixture = await openIntake();
  await sql`create index unholdable on report ((1 / (case report_id when 'unholdable' then 0 else 1 end)))`.execute(
    fixture.database.db,
  );
  await fixture.handIn(
    zip([
      { name: 'a.xml', data: xmlOf({ id: 'unholdable', records }) },
      { name: 'b.xml', data: reportXml({ id: 'beside' }) },
    ]),
  );
  await fixture.take();
  const [{ state, parts } = { state: '', parts: null }] = await fixture.deliveries();
  expect([state, outcomes(parts).toSorted()]).toEqual(['stored', ['stored', 'value_unstorable']]);
  expect([(await findOrgTotal(fixture)).reports, await fixture.drift()]).toEqual([1, 0]);
});

it('stores a report of many records the same, whether it is held, broken or streamed', async () => {
  await using fixture = await openIntake();
  const records = (count: number) => Array.from({ length: count }, (_, i) => ({ ip: `192.0.2.${i % 256}`, count: 2 }));
  const xml = (id: string) => reportXml({ id, records: records(6_000) });
  const broken = xml('broken').toString().replace('<org_name>', '<org_name>A & ');
  await fixture.handIn(gzipSync(xml('held')));
  await fixture.handIn(gzipSync(broken));
  await fixture.handIn(gzipSync(longReportXml({ id: 'streamed', records: records(6_001) })));
  while ((await fixture.take()) !== null);
  const { rows } = await findReports(fixture, {});
  expect(rows.map(({ messages }) => messages).toSorted((a, b) => a - b)).toEqual([12_000, 12_000, 12_002]);
  expect([await fixture.drift(), fixture.faults]).toEqual([0, []]);
});

it('takes a streamed report once, in whatever wrapping it comes again', async () => {
  await using fixture = await openIntake();
  const records = Array.from({ length: 6_000 }, (_, i) => ({ ip: `192.0.2.${i % 256}`, count: 2 }));
  const xml = longReportXml({ id: 'streamed', records });
  for (const level of [1, 6, 9]) await fixture.handIn(gzipSync(xml, { level }));
  await fixture.handIn(gzipSync(Buffer.concat([xml, Buffer.from('\n')])));
  while ((await fixture.take()) !== null);
  expect((await fixture.deliveries()).map(({ state }) => state)).toEqual([
    'stored',
    'duplicate',
    'duplicate',
    'duplicate',
  ]);
  expect(await findOrgTotal(fixture)).toEqual({ reports: 1, messages: 12_000 });
  expect(await fixture.drift()).toBe(0);
});

/** Takes in what waits, and returns how many statements have this in their text, or in the name that they have. */
async function statementsOf({ database, needs }: TestIntake, words: string): Promise<number> {
  const counting = openDatabase(database.socketUrl, { connections: 2 });
  let statements = 0;
  counting.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...question: unknown[]) => unknown;
    Object.assign(client, {
      query: (...question: unknown[]) => {
        const [asked] = question as [string | { name?: string }];
        if ((typeof asked === 'string' ? asked : asked.name)?.includes(words)) statements += 1;
        return query(...question);
      },
    });
  });
  while ((await takeIn({ ...needs, database: counting }, null)) !== null);
  await counting.close();
  return statements;
}

it('looks the reports of an archive up together when it comes again in another wrapping, each once', async () => {
  await using fixture = await openIntake();
  const archive = archiveOf(300);
  await fixture.handIn(archive);
  while ((await fixture.take()) !== null);
  await fixture.handIn(gzipSync(archive));
  const lookups = await statementsOf(fixture, 'find-held-contents');
  expect((await fixture.deliveries()).map(({ state }) => state)).toEqual(['stored', 'duplicate']);
  expect(lookups).toBe(2); // before and after the reports are locked
  expect(await findOrgTotal(fixture)).toMatchObject({ reports: 300 });
  expect([await fixture.drift(), fixture.faults]).toEqual([0, []]);
});

it('does not ask what proves the reports of an archive again, when it is read again, as it never proved them', async () => {
  await using fixture = await openIntake();
  const mailbox = await openMailbox(fixture, { authservIds: ['mx.ours.example'] });
  const mailOf = (id: string) =>
    reportMail({ xml: reportXml({ id }), authenticationResults: 'mx.ours.example; dmarc=pass' });
  await mailbox.bring(...Array.from({ length: 60 }, (_, i) => mailOf(`doc-${i}`)));
  while ((await fixture.take()) !== null);
  const [archive] = await fixture.handIn(archiveOf(60));
  while ((await fixture.take()) !== null);
  const again = { messageIds: [archive!.id], reportIds: [] };
  await transact(fixture.database, (session) => requeueDeliveries(session, fixture.orgId, again));
  expect(await statementsOf(fixture, 'repeated_contents')).toBe(0);
  const copies = await fixture.database.db.selectFrom('report_revision').select('authenticated').execute();
  expect(copies).toEqual(Array.from({ length: 60 }, () => ({ authenticated: true })));
  const states = (await fixture.deliveries()).map(({ state }) => state);
  expect(states).toEqual([...Array.from({ length: 60 }, () => 'stored'), 'duplicate']);
  expect([await fixture.drift(), fixture.faults]).toEqual([0, []]);
});

it('ends the turn of an organization whose deliveries are slow to read, and counts no start of those it did not begin', async () => {
  await using fixture = await openIntake();
  for (const id of ['a', 'b', 'c']) await fixture.handIn(reportXml({ id }));
  await takeIn({ ...fixture.needs, turnMs: 0 }, null);
  const rows = await fixture.database.db
    .selectFrom('raw_message')
    .select(['state', 'attempts_started'])
    .orderBy('id')
    .execute();
  expect(rows.map(({ state, attempts_started }) => [state, attempts_started])).toEqual([
    ['stored', 1],
    ['received', 0],
    ['received', 0],
  ]);
});

it('long deliveries delay neither other organizations nor their own', async () => {
  await using fixture = await openIntake();
  const { id: other } = await createOrganization(fixture.database.db, { name: 'Other' });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const lane = new LongLane(() => undefined);
  lane.begin('one', () => gate);
  lane.begin('two', () => gate);
  for (const org of [fixture.orgId, other]) {
    await fixture.handIn(archiveOf(120), 'file', org);
    await fixture.handIn(reportXml({ id: 'small' }), 'file', org);
  }
  await fixture.take(lane);
  await takeIn({ ...fixture.needs, lane }, fixture.orgId < other ? fixture.orgId : other);
  const states = async () =>
    (await Promise.all([fixture.deliveries(), fixture.deliveries(other)])).map((rows) =>
      rows.map(({ state }) => state),
    );
  expect(await states()).toEqual([
    ['processing', 'stored'],
    ['processing', 'stored'],
  ]);
  open();
  await lane.close();
  const after = (await states()).flat();
  // what had begun is finished, what waits is queued again
  expect(after.every((state) => state === 'stored' || state === 'received')).toBe(true);
  while ((await fixture.take()) !== null);
  expect(await states()).toEqual([
    ['stored', 'stored'],
    ['stored', 'stored'],
  ]);
  expect(fixture.faults).toEqual([]);
});

it('counts the start of a long delivery when its turn comes, not while it waits behind another', async () => {
  await using fixture = await openIntake();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const starts = async () => {
    const rows = await fixture.database.db.selectFrom('raw_message').select(['state', 'attempts_started']).execute();
    return rows.map(({ state, attempts_started }) => `${state} ${attempts_started}`);
  };
  await using stack = new AsyncDisposableStack();
  stack.defer(open);
  for (const kills of [1, 2, 3, 4]) {
    if (kills === 1) await fixture.handIn(archiveOf(120));
    const killed = openClaimant(fixture.database);
    const lane = new LongLane(() => undefined);
    lane.begin('another', () => gate);
    await takeIn({ ...fixture.needs, claimant: killed, lane }, null);
    expect(await starts()).toEqual(['processing 0']);
    killed.release(); // as a kill does: its session ends
    await vi.waitFor(async () => expect(await releaseDeadClaims(fixture.database.db)).toBe(1), PATIENCE);
  }
  const lane = new LongLane((error) => fixture.faults.push(String(error)));
  lane.begin('another', () => gate);
  await fixture.take(lane);
  open();
  await vi.waitFor(async () => expect(await starts()).toEqual(['stored 1']), PATIENCE);
  await lane.close();
  expect((await findOrgTotal(fixture)).reports).toBe(120);
  expect([await fixture.drift(), fixture.faults]).toEqual([0, []]);
});

it('puts a long delivery back when the process stops, and the next one stores it once, without counting a start', async () => {
  await using fixture = await openIntake();
  await fixture.handIn(archiveOf(220));
  const lane = new LongLane((error) => fixture.faults.push(String(error)));
  await fixture.take(lane);
  await lane.close(0);
  const held = await fixture.database.db.selectFrom('raw_message').select(['state', 'attempts_started']).execute();
  expect(held).toEqual([{ state: 'received', attempts_started: 0 }]);
  await fixture.take();
  expect(await fixture.deliveries()).toMatchObject([{ state: 'stored', parts: { length: 220 } }]);
  expect((await findOrgTotal(fixture)).reports).toBe(220);
  expect([await fixture.drift(), fixture.faults]).toEqual([0, []]);
});

it('opens no more deliveries of a turn when the process stops, and counts no start of those', async () => {
  await using fixture = await openIntake();
  for (const id of ['a', 'b', 'c']) await fixture.handIn(reportXml({ id }));
  await takeIn({ ...fixture.needs, stopping: AbortSignal.abort() }, null);
  const held = await fixture.database.db
    .selectFrom('raw_message')
    .select(['state', 'attempts_started'])
    .orderBy('id')
    .execute();
  expect(held).toEqual([
    { state: 'stored', attempts_started: 1 },
    { state: 'received', attempts_started: 0 },
    { state: 'received', attempts_started: 0 },
  ]);
  while ((await fixture.take()) !== null);
  expect((await fixture.deliveries()).map(({ state }) => state)).toEqual(['stored', 'stored', 'stored']);
});
