import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import {
  createOrganization,
  HELD_CODE,
  IMPORT_HELD_CODE,
  openClaimant,
  openDimensions,
  removeReports,
  requeueDeliveries,
  setOrganization,
} from '@dmarc-ledger/ledger';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { type Database, transact } from '@dmarc-ledger/schema';
import { cloneDatabase, reportMail, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiveMessages, repairRollups, takeIn } from '../src/index.ts';
import { settleReport } from '../src/intake/settle-report.ts';
import { rereadReports } from '../src/replay/reread-reports.ts';
import { BEGIN, holdStatement } from './held-statement.ts';
import { driftOf } from './ledger.ts';
import { openMailbox } from './mailboxes.ts';

const SERVER = 'mx.ours.example';

/** So many records that a report is stored in a transaction of its own, before the one that ends its delivery. */
const MANY = 5_001;
const xmlOf = (count: number) =>
  reportXml({ records: Array.from({ length: MANY }, () => ({ ip: '192.0.2.7', count })) });
const failing = (xml: Buffer) => reportMail({ xml, authenticationResults: `${SERVER}; dmarc=fail` });

let database: ClonedDatabase;
let blobs: BlobStore;
let orgId: string;
let folder: string;
let bring: (mail: Buffer) => Promise<void>;

beforeEach(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
  folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-removed-'));
  blobs = await openBlobs(pathToFileURL(folder).href);
  const mailbox = await openMailbox({ database, blobs, orgId }, { authservIds: [SERVER] });
  bring = (mail) => mailbox.bring(mail);
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function take(on: Database = database): Promise<void> {
  const claimant = openClaimant(on);
  const needs = { database: on, blobs, claimant, dimensions: openDimensions(on), onFault: () => {} };
  while ((await takeIn(needs, null)) !== null);
  claimant.release();
}

/** Holds what failing mail has brought, and has the report read again, which then has no copy that counts. */
async function removeReport(): Promise<void> {
  const { db } = database;
  await setOrganization(database, orgId, { unauthenticated: 'hold' });
  const { id, payload_sha256: payload } = await db.selectFrom('report').selectAll().executeTakeFirstOrThrow();
  const { message_id: messageId } = await db
    .selectFrom('report_revision')
    .select('message_id')
    .where('payload_sha256', '=', payload)
    .executeTakeFirstOrThrow();
  await transact(database, (session) =>
    requeueDeliveries(session, orgId, { messageIds: [messageId], reportIds: [id] }),
  );
  const needs = { database, organizationalDomain: publicSuffixDomains(), blobs, dimensions: openDimensions(database) };
  await rereadReports(needs, { orgId, reportIds: [id] });
  await settleReport(needs, { orgId, reportId: id });
  expect(await db.selectFrom('report').select('id').execute()).toEqual([]);
}

it.each([
  ['an import with the same report is being read', 'insert-revisions', [HELD_CODE, IMPORT_HELD_CODE]],
  ['its own mail is being read', 'insert-reports', [HELD_CODE]],
])('a report is removed while %s: every delivery says in the end that it is held', async (_, stored, codes) => {
  await bring(failing(xmlOf(1)));
  if (codes.length > 1) {
    await take();
    await receiveMessages({ database, blobs }, orgId, [{ content: xmlOf(2), source: 'import', name: null }]);
  }
  await using waiting = holdStatement(database.socketUrl, BEGIN, stored);
  const taking = take(waiting.database);
  await waiting.reached; // its copy is stored, and its delivery has not ended
  await removeReport();
  waiting.letGo();
  await taking;
  await take();
  expect(await outcome()).toEqual(held(...codes));
});

it('an import with the content of a mail is held too when the mail is held afterwards, also while it is being read', async () => {
  await bring(failing(xmlOf(1)));
  await take();
  await receiveMessages({ database, blobs }, orgId, [{ content: xmlOf(1), source: 'import', name: null }]);
  await using waiting = holdStatement(database.socketUrl, 'finish-messages');
  const taking = take(waiting.database);
  await waiting.reached; // it is known that it repeats the mail, and the report is locked
  const removing = removeReport();
  waiting.letGo();
  await Promise.all([taking, removing]);
  await take();
  expect(await outcome()).toEqual(held(HELD_CODE, IMPORT_HELD_CODE));
});

it('counts a report whose first mail is held while another mail is being read that passed', async () => {
  const { db } = database;
  const xml = reportXml({ records: [{ ip: '192.0.2.7', count: 5 }] });
  await bring(failing(xml));
  await take();
  const { id: messageId } = await db.selectFrom('raw_message').select('id').executeTakeFirstOrThrow();
  const { id: reportId } = await db.selectFrom('report').select('id').executeTakeFirstOrThrow();
  await setOrganization(database, orgId, { unauthenticated: 'hold' });
  await transact(database, (session) =>
    requeueDeliveries(session, orgId, { messageIds: [messageId], reportIds: [reportId] }),
  );
  await using again = holdStatement(database.socketUrl, BEGIN, 'hold-identities');
  const holding = take(again.database);
  await again.reached; // the first mail is about to end as held
  await bring(reportMail({ xml, authenticationResults: `${SERVER}; dmarc=pass` }));
  await using waiting = holdStatement(database.socketUrl, 'finish-messages');
  const taking = take(waiting.database);
  await waiting.reached; // the other repeats what the first has brought, as it is known until now
  again.letGo();
  await holding;
  waiting.letGo();
  await taking;
  const needs = { database, organizationalDomain: publicSuffixDomains(), blobs, dimensions: openDimensions(database) };
  await rereadReports(needs, { orgId, reportIds: [reportId] });
  const reports = await db.selectFrom('report').select(['id', 'messages', 'unauthenticated']).execute();
  expect(reports).toEqual([{ id: reportId, messages: 5, unauthenticated: false }]);
  expect(await driftOf({ database, blobs, orgId })).toBe(0);
});

it('holds a failing mail whose report was vouched for, and is purged while the mail is read again', async () => {
  const { db } = database;
  const xml = reportXml({ records: [{ ip: '192.0.2.7', count: 5 }] });
  await bring(failing(xml));
  await take();
  const { id: messageId } = await db.selectFrom('raw_message').select('id').executeTakeFirstOrThrow();
  await bring(reportMail({ xml, authenticationResults: `${SERVER}; dmarc=pass` }));
  await take();
  await setOrganization(database, orgId, { unauthenticated: 'hold' });
  await transact(database, (session) => requeueDeliveries(session, orgId, { messageIds: [messageId], reportIds: [] }));
  await using again = holdStatement(database.socketUrl, BEGIN);
  const taking = take(again.database);
  await again.reached; // the other mail vouches for the report
  await transact(database, (session) => removeReports(session, orgId, new Date(Date.now() + 60_000)));
  again.letGo();
  await taking;
  const needs = { database, organizationalDomain: publicSuffixDomains(), blobs, dimensions: openDimensions(database) };
  const stored = await db.selectFrom('report').select('id').execute();
  await rereadReports(needs, { orgId, reportIds: stored.map(({ id }) => id) });
  await take();
  const delivery = await db.selectFrom('raw_message').select('code').where('id', '=', messageId).executeTakeFirst();
  expect(delivery).toEqual({ code: HELD_CODE });
  expect(await db.selectFrom('report').select('id').execute()).toEqual([]);
});

/** How each delivery ended, the reports that are left, and the rows that drift. */
async function outcome() {
  const { db } = database;
  await repairRollups({ database }, { orgId });
  const deliveries = await db.selectFrom('raw_message').select(['state', 'code']).orderBy('id').execute();
  const reports = await db.selectFrom('report').select('id').execute();
  return { deliveries, reports, drift: await driftOf({ database, blobs, orgId }) };
}

const held = (...codes: string[]) => ({
  deliveries: codes.map((code) => ({ state: 'refused', code })),
  reports: [],
  drift: 0,
});
