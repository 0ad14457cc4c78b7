import type { BlobStore } from '@dmarc-ledger/blobs';
import {
  createOrganization,
  openClaimant,
  openDimensions,
  requeueDeliveries,
  rebuildRollups,
  removeReports,
  setOrganization,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { giveOwnDetails, reportMail, reportXml, takeClasses, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiveMessages, repairRollups, takeIn } from '../src/index.ts';
import { settleReport } from '../src/intake/settle-report.ts';
import { rereadReports } from '../src/replay/reread-reports.ts';
import { BEGIN, BEGIN_UNLIMITED, holdStatement } from './held-statement.ts';
import { openMailbox } from './mailboxes.ts';
import { openSteps, organizationalDomain, type Steps } from './steps.ts';

const forwarded = { ip: '192.0.2.7', count: 3, reason: 'mailing_list' };
const other = { ip: '192.0.2.7', count: 5 };
/** The second copy has all records of the first, and more, so that it becomes the counted one. */
const COPIES = [reportXml({ records: [forwarded] }), reportXml({ records: [other, forwarded, other] })];

let steps: Steps;
let database: ClonedDatabase;
let blobs: BlobStore;
let orgId: string;
beforeEach(async () => {
  steps = await openSteps();
  ({ database, blobs, orgId } = steps);
});
afterEach(() => steps[Symbol.asyncDispose]());

const settle = (on: Database) => steps.settle(undefined, on);
const align = (on: Database) => steps.align(undefined, on);
const classify = (on: Database) => steps.classify(undefined, on);

const SERVER = 'mx.ours.example';
const mailOf = (xml: Buffer, verdict: 'fail' | 'pass') =>
  reportMail({ xml, authenticationResults: `${SERVER}; dmarc=${verdict}` });
const xmlOfFour = () => reportXml({ records: [{ ip: '192.0.2.8', count: 4 }] });
const xmlOfFive = () => reportXml({ records: [{ ip: '192.0.2.8', count: 5 }] });

it('computes a sum again that a copy changed while the sum was being computed', async () => {
  await steps.takeIn(...COPIES);
  const mark = sql`insert into rollup_dirty (org_id, source_ip, day, domain_id)
    select org_id, source_ip, day, domain_id from source_domain_day`;
  await mark.execute(database.db);
  await using settler = holdStatement(database.socketUrl, 'commit');
  await using repairer = holdStatement(database.socketUrl, 'hold-totals');
  const settling = settle(settler.database);
  await settler.reached; // the other copy counts, and no job knows yet
  const repairing = repairRollups({ database: repairer.database }, { orgId });
  await repairer.reached; // the job has taken the mark, and summed up the first copy's records
  settler.letGo();
  await settling;
  repairer.letGo();
  await repairing;
  expect(await steps.driftAtRest()).toBe(0);
  const { messages } = await database.db.selectFrom('source_total').select('messages').executeTakeFirstOrThrow();
  expect(messages).toBe(13);
});

it.each([
  ['alignments', align, 'renew-versions'],
  ['classes', classify, 'hold-versions'],
])('writes no %s of a copy on the records of the one that replaced it', async (_, judge, statement) => {
  await steps.takeIn(...COPIES);
  await giveOwnDetails(database.db);
  await sql`update stored_record set dkim_aligned = null`.execute(database.db); // as older versions left it
  await takeClasses(database.db);
  if (judge === classify) await align(database);
  await using held = holdStatement(database.socketUrl, statement);
  const judging = judge(held.database);
  await held.reached; // judged by the first copy, not written yet
  await settle(database);
  held.letGo();
  await judging;
  // rows that were written again, besides those that were inserted
  const { rows } = await sql<{ written: number }>`
    select count(*) filter (where r.xmin <> p.xmin) as written
    from stored_record r join report p on p.org_id = r.org_id and p.id = r.report_id`.execute(database.db);
  expect(rows[0]?.written).toBe(0);
  expect(await steps.driftAtRest()).toBe(0);
});

it('has a copy wait that replaces another whose classes are being written', async () => {
  await steps.takeIn(...COPIES);
  await takeClasses(database.db);
  await align(database);
  await using held = holdStatement(database.socketUrl, 'add-to-day-classes');
  const judging = classify(held.database);
  await held.reached;
  const settling = settle(database);
  held.letGo();
  await Promise.all([judging, settling]);
  expect(await steps.driftAtRest()).toBe(0);
  const day = await database.db.selectFrom('domain_day').select(['messages', 'forwarded']).executeTakeFirstOrThrow();
  expect(day).toEqual({ messages: 13, forwarded: 3 });
});

it('repairs one organization while another stores, and does not keep the other waiting', async () => {
  await steps.takeIn(reportXml({ records: [forwarded] }));
  await sql`update domain_day set messages = 999`.execute(database.db);
  const { id: neighbour } = await createOrganization(database.db, { name: 'Neighbour' });
  await sql`insert into domain_day (org_id, domain_id, day, reports, messages, compliant, spf_pass, dkim_pass)
    select ${neighbour}, domain_id, day, 1, 1, 1, 1, 1 from domain_day`.execute(database.db);
  const storing = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const neighbours = transact(database, async ({ query }) => {
    await query('update domain_day set messages = messages + 1 where org_id = $1', [neighbour]);
    begun.resolve();
    await storing.promise;
  });
  await begun.promise;
  await rebuildRollups(database, orgId);
  storing.resolve();
  await neighbours;
  expect(await steps.driftAtRest()).toBe(0);
});

it('stores a report that a purge deletes between two looks at it', async () => {
  await steps.takeIn(COPIES[0] ?? Buffer.alloc(0));
  const stored = await database.db.selectFrom('report').selectAll().executeTakeFirstOrThrow();
  await using held = holdStatement(database.socketUrl, 'hold-identities');
  const claimant = openClaimant(held.database);
  await receiveMessages({ database, blobs }, orgId, [
    { content: COPIES[1] ?? Buffer.alloc(0), source: 'file', name: null },
  ]);
  const faults: string[] = [];
  const needs = { database: held.database, blobs, claimant, dimensions: openDimensions(held.database) };
  const taking = takeIn({ ...needs, onFault: (message, error) => faults.push(`${message} ${String(error)}`) }, null);
  await held.reached;
  await transact(database, (session) => removeReports(session, orgId, new Date(Date.now() + 60_000)));
  held.letGo();
  await taking;
  claimant.release();
  expect(faults).toEqual([]);
  const [report, ...others] = await database.db.selectFrom('report').selectAll().execute();
  expect(others).toEqual([]);
  expect(report).toMatchObject({ identity: stored.identity, messages: 13 });
  expect(await steps.driftAtRest()).toBe(0);
});

it('reads a report once more that is queued while it is read again', async () => {
  await steps.takeIn(reportXml({ records: [forwarded] }));
  const id = await steps.reportId();
  const { id: messageId } = await database.db.selectFrom('raw_message').select('id').executeTakeFirstOrThrow();
  const replay = () =>
    transact(database, (session) => requeueDeliveries(session, orgId, { messageIds: [messageId], reportIds: [id] }));
  await replay();
  await using held = holdStatement(database.socketUrl, BEGIN_UNLIMITED);
  const needs = { database: held.database, organizationalDomain, blobs, dimensions: openDimensions(database) };
  const reading = rereadReports(needs, { orgId, reportIds: [id] });
  const first = await Promise.race([held.reached.then(() => 'held'), reading.then(() => 'ended')]);
  expect(first).toBe('held'); // the report has been read, and is as it is stored
  await replay();
  held.letGo();
  await reading;
  const waiting = await database.db.selectFrom('unjudged_report').select('step').execute();
  expect(waiting).toEqual([{ step: 'reread' }]);
});

it.each([
  ['another copy of it', xmlOfFive],
  ['a copy that was held, this time by a mail that passed', xmlOfFour],
])('does not remove a report without a copy that counts, for which %s has arrived meanwhile', async (_, better) => {
  const mailbox = await openMailbox({ database, blobs, orgId }, { authservIds: [SERVER] });
  const bring = async (xml: Buffer, verdict: 'fail' | 'pass') => {
    await mailbox.bring(mailOf(xml, verdict));
    await steps.takeIn();
  };
  await bring(reportXml({ records: [forwarded] }), 'fail');
  await bring(xmlOfFour(), 'fail');
  await setOrganization(database, orgId, { unauthenticated: 'hold' });
  const id = await steps.reportId();
  const { message_id: messageId } = await database.db
    .selectFrom('report_revision as v')
    .innerJoin('report as r', 'r.payload_sha256', 'v.payload_sha256')
    .select('v.message_id')
    .executeTakeFirstOrThrow();
  await transact(database, (session) =>
    requeueDeliveries(session, orgId, { messageIds: [messageId], reportIds: [id] }),
  );
  const needs = { database, organizationalDomain, blobs, dimensions: openDimensions(database) };
  await rereadReports(needs, { orgId, reportIds: [id] });
  await using held = holdStatement(database.socketUrl, BEGIN_UNLIMITED);
  const settling = settle(held.database);
  await held.reached; // both copies are held, so the report is about to be removed
  await bring(better(), 'pass');
  held.letGo();
  await settling;
  const report = await database.db.selectFrom('report').select(['id', 'messages', 'unauthenticated']).execute();
  expect(report).toEqual([{ id, messages: better === xmlOfFour ? 4 : 5, unauthenticated: false }]);
  expect(await steps.driftAtRest()).toBe(0);
});

it('does not mark the copy that counts by now with what is known of the one that counted before', async () => {
  const mailbox = await openMailbox({ database, blobs, orgId }, { authservIds: [SERVER] });
  const bring = async (xml: Buffer, verdict: 'fail' | 'pass') => {
    await mailbox.bring(mailOf(xml, verdict));
    await steps.takeIn();
  };
  await bring(reportXml({ records: [forwarded, other] }), 'fail');
  await bring(reportXml({ records: [forwarded] }), 'fail');
  await using held = holdStatement(database.socketUrl, BEGIN);
  const settling = settle(held.database);
  await held.reached; // the first copy counts, which failed
  await bring(xmlOfFive(), 'pass');
  await settle(database);
  held.letGo();
  await settling;
  const report = await database.db.selectFrom('report').select(['messages', 'unauthenticated']).execute();
  expect(report).toEqual([{ messages: 5, unauthenticated: false }]);
  expect(await steps.driftAtRest()).toBe(0);
});

it('removes a report whose counted copy is held while its copies are compared, of which none may count', async () => {
  const needs = { database, organizationalDomain, blobs, dimensions: openDimensions(database) };
  const mailbox = await openMailbox({ database, blobs, orgId }, { authservIds: [SERVER] });
  for (const xml of [reportXml({ records: [forwarded] }), xmlOfFour()]) {
    await mailbox.bring(mailOf(xml, 'fail'));
    await steps.takeIn();
  }
  await setOrganization(database, orgId, { unauthenticated: 'hold' });
  const id = await steps.reportId();
  const { id: messageId } = await database.db
    .selectFrom('raw_message')
    .select('id')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  await transact(database, (session) =>
    requeueDeliveries(session, orgId, { messageIds: [messageId], reportIds: [id] }),
  );
  await using held = holdStatement(database.socketUrl, BEGIN);
  const settling = settle(held.database);
  await held.reached; // neither copy may count, and the counted one is still there
  await rereadReports(needs, { orgId, reportIds: [id] });
  held.letGo();
  await settling;
  await settleReport(needs, { orgId, reportId: id });
  expect(await database.db.selectFrom('report').select('messages').execute()).toEqual([]);
});

it.each([
  ['count', 9],
  ['hold', 3],
] as const)('chooses a copy by the setting %s that was made while copies were compared', async (setting, messages) => {
  const needs = { database, organizationalDomain, blobs, dimensions: openDimensions(database) };
  const mailbox = await openMailbox({ database, blobs, orgId }, { authservIds: [SERVER] });
  await steps.takeIn(reportXml({ records: [forwarded] })); // 3
  await mailbox.bring(mailOf(reportXml({ records: [forwarded, { ip: '192.0.2.8', count: 6 }] }), 'fail')); // 9
  await steps.takeIn();
  await setOrganization(database, orgId, { unauthenticated: setting === 'hold' ? 'count' : 'hold' });
  await using held = holdStatement(database.socketUrl, setting === 'hold' ? BEGIN_UNLIMITED : BEGIN);
  const settling = settle(held.database);
  await held.reached;
  await setOrganization(database, orgId, { unauthenticated: setting });
  const { id } = await database.db
    .selectFrom('raw_message')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  await transact(database, async (session) =>
    requeueDeliveries(session, orgId, { messageIds: [id], reportIds: [await steps.reportId()] }),
  );
  await steps.takeIn();
  held.letGo();
  await settling;
  await settleReport(needs, { orgId, reportId: await steps.reportId() });
  expect(await database.db.selectFrom('report').select('messages').execute()).toEqual([{ messages }]);
});

it('does not mark a report that is counted anew while a mail comes that passed', async () => {
  const needs = { database, organizationalDomain, blobs, dimensions: openDimensions(database) };
  const mailbox = await openMailbox({ database, blobs, orgId }, { authservIds: [SERVER] });
  await mailbox.bring(mailOf(xmlOfFour(), 'fail'));
  await steps.takeIn();
  const id = await steps.reportId();
  const { id: messageId } = await database.db.selectFrom('raw_message').select('id').executeTakeFirstOrThrow();
  await sql`update report set policy = policy || '{"pct":7}'`.execute(database.db); // as an older reader left it
  await transact(database, (session) =>
    requeueDeliveries(session, orgId, { messageIds: [messageId], reportIds: [id] }),
  );
  await using held = holdStatement(database.socketUrl, BEGIN_UNLIMITED);
  const reading = rereadReports({ ...needs, database: held.database }, { orgId, reportIds: [id] });
  await held.reached; // its content differs from what is stored, and its mail failed
  await mailbox.bring(mailOf(xmlOfFour(), 'pass'));
  await steps.takeIn();
  held.letGo();
  await reading;
  const report = await database.db.selectFrom('report').select(['messages', 'unauthenticated']).execute();
  expect(report).toEqual([{ messages: 4, unauthenticated: false }]);
  expect(await database.db.selectFrom('parse_warning').select('code').execute()).toEqual([]);
  expect(await steps.driftAtRest()).toBe(0);
});
