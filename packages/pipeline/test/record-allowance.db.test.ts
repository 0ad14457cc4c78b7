import {
  addDomain,
  createOrganization,
  findHeldIntake,
  findMessage,
  openClaimant,
  openDimensions,
  releaseDeadClaims,
  releaseHeld,
} from '@dmarc-ledger/ledger';
import { longReportXml, reportMail, reportXml } from '@dmarc-ledger/testkit';
import { type Database, openDatabase } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type IntakeNeeds, receiveMessages, replayDeliveries, takeIn } from '../src/index.ts';
import { LongLane } from '../src/intake/long-lane.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { zip } from './hostile-deliveries.ts';
import { openMailbox } from './mailboxes.ts';
import { PATIENCE } from './taken-in.ts';

const A_DAY = 100;
/** Two deliveries of more than 2,000 records: from half of a day's records on, a third one is held. */
const A_LONG_DAY = 4_400;
const LARGE = 2_100;
let ledger: Ledger;
let reports = 0;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
  await ledger.stopIntake(); // it would have another budget
});
afterAll(() => ledger[Symbol.asyncDispose]());
beforeEach(() => void ledger.faults.splice(0));

/** Of many addresses, so that a large one is still being stored when the next is opened. */
const described = (records: number, domain = 'example.com') => ({
  domain,
  id: `report-${(reports += 1)}`,
  records: Array.from({ length: records }, (_, i) => ({
    ip: `10.0.${i >> 8}.${i & 255}`,
    count: 1,
    dkim: 'pass' as const,
  })),
});
const report = (records: number, domain?: string) => reportXml(described(records, domain));
/** A report that is too long to be read whole. */
const streamed = (records: number) => longReportXml(described(records));

/** Sends reports, reads what waits with a small budget, and returns the states of what was sent. */
async function sent(source: 'upload' | 'file', orgId: string, ...contents: Buffer[]) {
  return await sentTo({}, source, orgId, contents);
}

/** The same, where small deliveries are stored one by one, and large ones in a lane. */
async function sentTogether(orgId: string, ...contents: Buffer[]) {
  return await sentThrough({}, orgId, contents);
}

async function sentThrough(more: Partial<Pick<IntakeNeeds, 'database' | 'blobs'>>, orgId: string, contents: Buffer[]) {
  const lane = new LongLane((error) => ledger.faults.push(String(error)));
  const oneByOne = { ...more, lane, load: { deliveries: 1, bytes: 1 }, recordsADay: A_LONG_DAY };
  const states = await sentTo(oneByOne, 'upload', orgId, contents);
  await lane.close();
  return states;
}

/** A database that loses the connection on which it is asked for the nth time what was stored today. */
function losingAnswer(nth: number): Database & AsyncDisposable {
  const database = openDatabase(ledger.databaseUrl);
  let asked = 0;
  database.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...question: unknown[]) => unknown;
    const lose = async (...question: unknown[]) => {
      await ledger.database.pool.query('select pg_terminate_backend($1)', [Object(client).processID]);
      return await query(...question);
    };
    const ask = (...question: unknown[]) => {
      const isAsked = String(question[0]).includes('select records_stored');
      if (isAsked) asked += 1;
      return isAsked && asked === nth ? lose(...question) : query(...question);
    };
    Object.assign(client, { query: ask });
  });
  return Object.assign(database, { [Symbol.asyncDispose]: () => database.close() });
}

async function sentTo(
  more: Partial<Pick<IntakeNeeds, 'database' | 'blobs' | 'lane' | 'load' | 'recordsADay'>>,
  source: 'upload' | 'file',
  orgId: string,
  contents: Buffer[],
) {
  const { database, blobs } = ledger;
  const claimant = openClaimant(database);
  const arrivals = contents.map((content) => ({ content, source, name: null }));
  const received = await receiveMessages({ database, blobs }, orgId, arrivals);
  const needs = { database, blobs, claimant, dimensions: openDimensions(database), recordsADay: A_DAY, ...more };
  while ((await takeIn({ ...needs, onFault: (message) => ledger.faults.push(message) }, null)) !== null);
  if (more.lane) await vi.waitUntil(async () => (await countClaimed(orgId)) === 0, { timeout: 60_000 });
  claimant.release();
  const found = await Promise.all(received.map(({ id }) => findMessage(database.db, orgId, id)));
  return found.map((message) => [message?.state, message?.code]);
}

/** Deliveries that wait, without those that are held. */
async function countOpen(db: Ledger['database']['db'], orgId: string): Promise<number> {
  const rows = await db
    .selectFrom('raw_message')
    .select('id')
    .where('org_id', '=', orgId)
    .where('state', '=', 'received')
    .where('held_until', 'is', null)
    .execute();
  return rows.length;
}

/** How many deliveries of the organization are held, if any. */
async function heldOf(orgId: string) {
  return (await findHeldIntake(ledger.database.db)).filter((held) => held.orgId === orgId);
}

/** Deliveries that a lane is storing, or still has to. */
async function countClaimed(orgId: string): Promise<number> {
  const { rows } = await sql<{ claimed: number }>`select count(*)::int as claimed from raw_message
    where org_id = ${orgId} and state = 'processing'`.execute(ledger.database.db);
  return rows[0]!.claimed;
}

async function countStored(orgId: string): Promise<number> {
  const { rows } = await sql<{ stored: number }>`select count(*)::int as stored from raw_message
    where org_id = ${orgId} and state = 'stored'`.execute(ledger.database.db);
  return rows[0]!.stored;
}

const STORED = ['stored', null];
const ASSIGNED = ['assigned', null];
const HELD = ['received', 'record_budget'];

async function organization(): Promise<string> {
  return (await createOrganization(ledger.database.db, { name: `Org ${(reports += 1)}` })).id;
}

it('holds large deliveries once half of a day is used up, and goes on with small ones', async () => {
  const orgId = await organization();
  expect(await sent('upload', orgId, report(40))).toEqual([STORED]);
  expect(await sent('upload', orgId, report(30))).toEqual([STORED]);
  expect(await sent('upload', orgId, report(LARGE), report(10), report(15))).toEqual([HELD, STORED, STORED]);
  expect(ledger.faults).toEqual([]);
});

it('counts what the deliveries that came with a large one have stored before it', async () => {
  const orgId = await organization();
  const four = [report(LARGE), report(LARGE), report(LARGE), report(LARGE)];
  const states = await sentTogether(orgId, ...four);
  expect(states).toHaveLength(4);
  expect(states.filter(([state]) => state === 'stored')).toEqual([STORED, STORED]);
  expect(await sentTogether(orgId, report(100))).toEqual([STORED]);
});

it('goes on when the connection is lost on which it asks what was stored, and asks again after the next', async () => {
  const orgId = await organization();
  const four = [report(LARGE), report(LARGE), report(LARGE), report(LARGE)];
  await using database = losingAnswer(2);
  const states = await sentThrough({ database }, orgId, four);
  expect(states.filter(([state]) => state === 'stored')).toEqual([STORED, STORED]);
  expect(states.filter(([state]) => state !== 'stored')).toEqual([HELD, HELD]);
  expect(ledger.faults).toEqual([]);
});

/** The owner of a shared mailbox and an organization that it is for, each with a domain. */
async function sharers() {
  const [owner, tenant] = [await organization(), await organization()];
  const domains = { owner: 'owner.example', tenant: 'tenant.example' };
  await addDomain(ledger.database.db, owner, domains.owner, {});
  await addDomain(ledger.database.db, tenant, domains.tenant, {});
  return { owner, tenant, domains, mailbox: await openMailbox({ ...ledger, orgId: owner }, { shared: true }) };
}

/** Takes in what waits for these organizations, and returns its states, sorted. */
async function taken(...orgIds: string[]) {
  for (const orgId of orgIds) await sentTo({}, 'file', orgId, []);
  const rows = await ledger.database.db
    .selectFrom('raw_message')
    .select(['org_id', 'state', 'code'])
    .orderBy('state')
    .execute();
  return orgIds.map((orgId) => rows.filter(({ org_id }) => org_id === orgId).map(({ state, code }) => [state, code]));
}

it('gives the organizations of a shared mailbox their reports while the day of its owner is used up', async () => {
  const { owner, tenant, domains, mailbox } = await sharers();
  expect(await sent('file', owner, report(A_DAY, domains.owner))).toEqual([STORED]);
  await mailbox.bring(reportMail({ xml: report(7, domains.tenant) }), reportMail({ xml: report(8, domains.owner) }));
  expect(await taken(owner, tenant)).toEqual([[ASSIGNED, HELD, STORED], [STORED]]);
  expect(ledger.faults).toEqual([]);
});

it('counts of a mail what the organization itself takes of it', async () => {
  const { owner, tenant, domains, mailbox } = await sharers();
  expect(await sent('file', tenant, report(A_DAY / 2, domains.tenant))).toEqual([STORED]);
  const members = [report(LARGE, domains.owner), report(3, domains.tenant)].map((data, i) => ({
    name: `${i}.xml`,
    data,
  }));
  await mailbox.bring(
    reportMail({ attachment: { name: 'two.zip', type: 'application/zip', bytes: zip(members) } }),
    reportMail({ xml: report(LARGE, domains.tenant) }),
  );
  expect(await taken(owner, tenant)).toEqual([
    [ASSIGNED, STORED],
    [HELD, STORED, STORED],
  ]);
  expect(ledger.faults).toEqual([]);
});

it('reads a large delivery again, without counting the try, whose turn found the connection lost', async () => {
  const orgId = await organization();
  await using database = losingAnswer(5); // of these: both, the first, after each, in the turn of the second
  const states = await sentThrough({ database }, orgId, [streamed(LARGE), streamed(LARGE)]);
  expect(states).toHaveLength(2);
  expect(states).toEqual(expect.arrayContaining([['received', null], STORED]));
  expect(ledger.faults).toEqual([expect.stringContaining('it will be tried again')]);
  const { db } = ledger.database;
  const own = db.selectFrom('raw_message').where('org_id', '=', orgId);
  const tries = await own.select('attempts_started').where('state', '=', 'received').execute();
  expect(tries).toEqual([{ attempts_started: 0 }]);
  expect(await sentTogether(orgId, report(100))).toEqual([STORED]);
  expect(await own.select('state').where('state', '!=', 'stored').execute()).toEqual([]);
});

it('counts what was stored while a large delivery waited for its turn', async () => {
  const orgId = await organization();
  const states = await sentTogether(orgId, streamed(LARGE + 200), streamed(LARGE + 200), report(100));
  expect(states.filter(([state]) => state === 'stored')).toEqual([STORED, STORED]);
  expect(states.filter(([state]) => state !== 'stored')).toEqual([HELD]);
  expect(states[2]).toEqual(STORED);
});

it('counts what was stored while a large delivery was opened', async () => {
  const orgId = await organization();
  const opened = new Set<string>();
  /** The second one, whichever that is, is opened once the first is stored. */
  const get = async (sha256: Buffer) => {
    if (opened.add(sha256.toString('hex')).size === 2)
      await vi.waitUntil(async () => (await countStored(orgId)) === 1, { timeout: 60_000 });
    return await ledger.blobs.get(sha256);
  };
  const blobs: typeof ledger.blobs = Object.assign(Object.create(ledger.blobs), { get });
  const states = await sentThrough({ blobs }, orgId, [streamed(LARGE + 200), streamed(LARGE + 200)]);
  expect(states).toHaveLength(2);
  expect(states).toEqual(expect.arrayContaining([HELD, STORED]));
  expect(ledger.faults).toEqual([]);
});

it('holds all that others send once the day is used up, and takes what its owner hands in as files', async () => {
  const orgId = await organization();
  await sent('file', orgId, report(A_DAY));
  const mail = reportMail({ xml: report(1) });
  expect(await sent('upload', orgId, report(1), mail)).toEqual([HELD, HELD]);
  expect(await sent('file', orgId, report(LARGE))).toEqual([STORED]);
  expect(await heldOf(orgId)).toMatchObject([{ orgId, deliveries: 2 }]);
});

it.each(['mail', 'upload'])(
  'takes at once what its owner hands in as a file, though it was held as %s',
  async (way) => {
    const orgId = await organization();
    await sent('file', orgId, report(A_DAY));
    const mail = reportMail({ xml: report(1) });
    const mailbox = await openMailbox({ ...ledger, orgId });
    await (way === 'mail' ? mailbox.bring(mail) : sent('upload', orgId, mail));
    await sent('file', orgId);
    expect(await heldOf(orgId)).toMatchObject([{ orgId, deliveries: 1 }]);
    expect(await sent('file', orgId, mail)).toEqual([STORED]);
    expect(await heldOf(orgId)).toEqual([]);
  },
);

it('takes the held ones when their day has come, each once', async () => {
  const orgId = await organization();
  await sent('file', orgId, report(A_DAY));
  expect(await sent('upload', orgId, report(7))).toEqual([HELD]);
  await sql`update raw_message set held_until = now()
    where org_id = ${orgId} and held_until is not null`.execute(ledger.database.db);
  await sql`update org_total set records_on = records_on - 1 where org_id = ${orgId}`.execute(ledger.database.db);
  expect(await releaseHeld(ledger.database.db)).toBe(1);
  await sent('file', orgId);
  const { reports: counted } = await ledger.database.db
    .selectFrom('org_total')
    .select('reports')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  expect(counted).toBe(2);
});

it('a replay ends though deliveries are held, and says how many of those that it reads again are', async () => {
  const orgId = await organization();
  await sent('upload', orgId, report(7));
  await sent('file', orgId, report(A_DAY));
  expect(await sent('upload', orgId, report(1))).toEqual([HELD]);
  const replaying = replayDeliveries(ledger, orgId, {});
  const waiting = () => countOpen(ledger.database.db, orgId);
  await vi.waitUntil(async () => (await waiting()) === 2, PATIENCE);
  await sent('file', orgId);
  const { deliveries } = await replaying;
  expect(deliveries).toEqual({
    read: 1,
    endings: [{ from: 'stored', to: 'stored', deliveries: 1 }],
    missing: [],
    held: 1,
  });
  expect(await waiting()).toBe(0);
});

it('does not hold the deliveries of another organization', async () => {
  const [flooded, other] = [await organization(), await organization()];
  await sent('file', flooded, report(A_DAY));
  expect(await sent('upload', flooded, report(1))).toEqual([HELD]);
  expect(await sent('upload', other, report(LARGE))).toEqual([STORED]);
});

it('reads a delivery again that could not be held because the database was away', async () => {
  const orgId = await organization();
  const { db } = ledger.database;
  await sent('file', orgId, report(60));
  await sql`
    create function fail() returns trigger language plpgsql as
      $$ begin raise exception using errcode = 'admin_shutdown'; end $$`.execute(db);
  await sql`
    create trigger fail before update on raw_message for each row when (new.code = 'record_budget')
      execute function fail()`.execute(db);
  expect(await sent('upload', orgId, report(LARGE))).toEqual([['processing', null]]);
  await sql`drop trigger fail on raw_message`.execute(db);
  await vi.waitUntil(async () => (await releaseDeadClaims(db)) === 1, { timeout: 10_000 });
  await sent('file', orgId);
  expect(await heldOf(orgId)).toMatchObject([{ orgId, deliveries: 1 }]);
});
