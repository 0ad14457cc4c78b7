import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import {
  addDomain,
  createOrganization,
  openClaimant,
  openDimensions,
  releaseReports,
  removeDeliveries,
  removeOthers,
  removeReports,
  requeueDeliveries,
  setOrganization,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { cloneDatabase, reportMail, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiveMessages, takeIn } from '../src/index.ts';
import { BEGIN, holdStatement, untilBlocked } from './held-statement.ts';
import { openMailbox } from './mailboxes.ts';
import { failureMail } from './other-reports.ts';

const SERVER = 'mx.ours.example';
const FIND_KNOWN =
  'select "id", "sha256" from "raw_message" where "org_id" = $1 and "sha256" = any($2) order by "sha256" for no key update';
let database: ClonedDatabase;
let blobs: BlobStore;
let orgId: string;
let folder: string;

beforeEach(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
  folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-delivered-'));
  blobs = await openBlobs(pathToFileURL(folder).href);
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function fail(message: string, error: unknown): void {
  throw new Error(message, { cause: error });
}

async function take(on: Database = database, { turns = Infinity, onFault = fail } = {}): Promise<void> {
  const claimant = openClaimant(on);
  const needs = { database: on, blobs, claimant, dimensions: openDimensions(on), onFault };
  for (let turn = 0; turn < turns; turn += 1) if ((await takeIn(needs, null)) === null) break;
  claimant.release();
}

const xmlOf = (domain: string) => reportXml({ id: domain, domain, records: [{ ip: '192.0.2.7', count: 5 }] });
const counted = async () => await database.db.selectFrom('report').select(['domain', 'messages']).execute();

it.each(['waits', 'is being read'])(
  'import --count counts what an earlier import brought that still %s',
  async (how) => {
    const bring = (isReleased: boolean) =>
      receiveMessages({ database, blobs }, orgId, [
        { content: xmlOf('a.example'), source: 'import', name: null, isReleased },
      ]);
    await bring(false);
    await using held = holdStatement(database.socketUrl, 'finish-messages');
    const taking = how === 'waits' ? Promise.resolve() : take(held.database);
    if (how !== 'waits') await held.reached; // it is about to end as held
    await bring(true);
    held.letGo();
    await taking;
    await take();
    expect(await counted()).toEqual([{ domain: 'a.example', messages: 5 }]);
  },
);

it('intake release counts a held report that is being read again', async () => {
  const { db } = database;
  await setOrganization(database, orgId, { unauthenticated: 'hold' });
  const mailbox = await openMailbox({ database, blobs, orgId }, { authservIds: [SERVER] });
  await mailbox.bring(reportMail({ xml: xmlOf('a.example'), authenticationResults: `${SERVER}; dmarc=fail` }));
  await take();
  const { id } = await db.selectFrom('raw_message').select('id').executeTakeFirstOrThrow();
  await transact(database, (session) => requeueDeliveries(session, orgId, { messageIds: [id], reportIds: [] }));
  await using held = holdStatement(database.socketUrl, 'finish-messages');
  const taking = take(held.database);
  await held.reached; // it is about to end as held once more
  expect(await releaseReports(db, orgId, {})).toBe(1);
  held.letGo();
  await taking;
  await take();
  expect(await counted()).toEqual([{ domain: 'a.example', messages: 5 }]);
});

it('keeps what the server of a shared mailbox has recorded when more of a mail is assigned while it is read', async () => {
  const { db } = database;
  const mailbox = await openMailbox({ database, blobs, orgId }, { shared: true });
  const { id: tenant } = await createOrganization(db, { name: 'Tenant' });
  await addDomain(db, tenant, 'a.example', {});
  const xml = Buffer.concat([xmlOf('a.example'), xmlOf('b.example')]);
  await mailbox.bring(reportMail({ xml, authenticationResults: `${SERVER}; dmarc=pass` }));
  await take(database, { turns: 1 }); // the owner's
  await using held = holdStatement(database.socketUrl, 'finish-messages');
  const taking = take(held.database);
  await held.reached; // no server is trusted yet that says that the mail passed
  await sql`update mailbox set authserv_ids = ${[SERVER]}::text[]`.execute(db);
  await addDomain(db, tenant, 'b.example', {});
  const { id } = await db.selectFrom('raw_message').select('id').where('org_id', '=', orgId).executeTakeFirstOrThrow();
  await transact(database, (session) => requeueDeliveries(session, orgId, { messageIds: [id], reportIds: [] }));
  await take(database, { turns: 1 });
  held.letGo();
  await taking;
  await take();
  const deliveries = await db
    .selectFrom('raw_message')
    .select(['state', 'only_domains', 'mail_facts'])
    .where('org_id', '=', tenant)
    .execute();
  const facts = { authservId: SERVER, dmarc: 'pass' };
  expect(deliveries).toMatchObject([{ state: 'stored', only_domains: ['a.example', 'b.example'], mail_facts: facts }]);
});

it.each([
  ['while it is read', BEGIN],
  ['while that is written down', 'finish-messages'],
])('reads a delivery again whose bytes were missing, and are sent again %s', async (_, statement) => {
  const bring = () =>
    receiveMessages({ database, blobs }, orgId, [{ content: xmlOf('a.example'), source: 'upload', name: null }]);
  await bring();
  const { sha256 } = await database.db.selectFrom('raw_message').select('sha256').executeTakeFirstOrThrow();
  await blobs.delete(sha256);
  await using held = holdStatement(database.socketUrl, statement);
  const taking = take(held.database, { onFault: () => {} });
  await held.reached; // its bytes were missing
  const bringing = bring();
  await Promise.race([bringing, untilBlocked(database)]);
  held.letGo();
  await Promise.all([taking, bringing]);
  await take();
  expect(await counted()).toEqual([{ domain: 'a.example', messages: 5 }]);
});

it('takes in a delivery again that a purge deletes while it is entered', async () => {
  const bring = (on: Database) =>
    receiveMessages({ database: on, blobs }, orgId, [{ content: xmlOf('a.example'), source: 'upload', name: null }]);
  await bring(database);
  await take();
  await using held = holdStatement(database.socketUrl, FIND_KNOWN);
  const bringing = bring(held.database);
  await held.reached; // its bytes are known
  const later = new Date(Date.now() + 60_000);
  await transact(database, (session) => removeReports(session, orgId, later));
  await transact(database, ({ db }) => removeDeliveries(db, orgId, later));
  held.letGo();
  expect(await bringing).toEqual([{ id: expect.any(String), fresh: true }]);
  await take();
  expect(await counted()).toEqual([{ domain: 'a.example', messages: 5 }]);
});

it('reads a failure report again beside a purge of failure reports', async () => {
  const { db } = database;
  const given = { content: failureMail({}), source: 'file' as const, name: null };
  const [delivery] = await receiveMessages({ database, blobs }, orgId, [given]);
  await take();
  await transact(database, (session) =>
    requeueDeliveries(session, orgId, { messageIds: [delivery!.id], reportIds: [] }),
  );
  await using held = holdStatement(database.socketUrl, 'find-failure_report');
  const taking = take(held.database);
  await held.reached; // the report is stored already
  await transact(database, (session) =>
    removeOthers(session.db, orgId, 'failureReports', new Date(Date.now() + 60_000)),
  );
  held.letGo();
  await taking;
  expect(await db.selectFrom('failure_report').select('message_id').execute()).toEqual([{ message_id: delivery!.id }]);
});
