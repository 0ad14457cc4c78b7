import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import {
  addDomain,
  addMailbox,
  createOrganization,
  findCheckChanges,
  findDrift,
  openClaimant,
  openDimensions,
  planHealth,
  refreshEnforcementDays,
  requeueDeliveries,
  rebuildRollups,
  removeReports,
  setOrganization,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import type { Ask } from '@dmarc-ledger/dns-records';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { findChecks } from '@dmarc-ledger/facts';
import { openSecretBox } from '@dmarc-ledger/secrets';
import { cloneDatabase, giveOwnDetails, reportMail, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { dayOf } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  accessToken,
  auditJudgement,
  lookAtOrganizations,
  receiveMessages,
  repairRollups,
  type RequestToken,
  secretPlace,
  takeIn,
} from '../src/index.ts';
import { checkDomain } from '../src/domains/check-domain.ts';
import { computeHealth } from '../src/domains/compute-health.ts';
import { settleReport } from '../src/intake/settle-report.ts';
import { rereadReports } from '../src/replay/reread-reports.ts';
import { alignReports } from '../src/records/align-reports.ts';
import { classifyReports } from '../src/records/classify-reports.ts';
import { judgeSignatures } from '../src/records/judge-signatures.ts';
import { judgeSources } from '../src/sources/judge-sources.ts';
import { holdStatement } from './held-statement.ts';
import { openMailbox } from './mailboxes.ts';

const organizationalDomain = publicSuffixDomains();
let database: ClonedDatabase;
let blobs: BlobStore;
let orgId: string;
let folder: string;

beforeEach(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
  folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-interleaving-'));
  blobs = await openBlobs(pathToFileURL(folder).href);
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const forwarded = { ip: '192.0.2.7', count: 3, reason: 'mailing_list' };
const other = { ip: '192.0.2.7', count: 5 };
/** The second copy has all records of the first, and more, so that it becomes the counted one. */
const COPIES = [reportXml({ records: [forwarded] }), reportXml({ records: [other, forwarded, other] })];

/** With what transactions begin. */
const BEGIN = 'begin; set local plan_cache_mode = force_generic_plan';
const BEGIN_UNLIMITED = `${BEGIN}; set local statement_timeout = 0`;

const SERVER = 'mx.ours.example';
const mailOf = (xml: Buffer, verdict: 'fail' | 'pass') =>
  reportMail({ xml, authenticationResults: `${SERVER}; dmarc=${verdict}` });
const xmlOfFour = () => reportXml({ records: [{ ip: '192.0.2.8', count: 4 }] });
const xmlOfFive = () => reportXml({ records: [{ ip: '192.0.2.8', count: 5 }] });

async function takeInCopies(...contents: Buffer[]): Promise<void> {
  const claimant = openClaimant(database);
  const onFault = (message: string, error: unknown) => {
    throw new Error(message, { cause: error });
  };
  const take = () => takeIn({ database, blobs, claimant, dimensions: openDimensions(database), onFault }, null);
  await take(); // what a mailbox has brought
  for (const content of contents) {
    await receiveMessages({ database, blobs }, orgId, [{ content, source: 'file', name: null }]);
    await take();
  }
  claimant.release();
}

const reportId = async () => (await database.db.selectFrom('report').select('id').executeTakeFirstOrThrow()).id;
const settle = async (on: Database) =>
  settleReport({ database: on, blobs, dimensions: openDimensions(on) }, { orgId, reportId: await reportId() });
const align = async (on: Database) =>
  alignReports({ database: on, organizationalDomain }, { orgId, reportIds: [await reportId()] });
const classify = async (on: Database) => classifyReports({ database: on }, { orgId, reportIds: [await reportId()] });

/** Rows that differ from their source, once all waiting work is done. */
async function driftAtRest(): Promise<number> {
  await align(database);
  await classify(database);
  await repairRollups({ database }, { orgId });
  const drift = (await findDrift(database, orgId)).reduce((sum, { rows }) => sum + rows, 0);
  return drift + (await auditJudgement({ database, organizationalDomain }, orgId)).differing;
}

it('computes a sum again that a copy changed while the sum was being computed', async () => {
  await takeInCopies(...COPIES);
  const mark = sql`insert into rollup_dirty (org_id, source_ip, day, domain_id)
    select org_id, source_ip, day, domain_id from source_domain_day`;
  await mark.execute(database.db);
  await using settler = holdStatement(database.url, 'commit');
  await using repairer = holdStatement(database.url, 'hold-totals');
  const settling = settle(settler.database);
  await settler.reached; // the other copy counts, and no job knows yet
  const repairing = repairRollups({ database: repairer.database }, { orgId });
  await repairer.reached; // the job has taken the mark, and summed up the first copy's records
  settler.letGo();
  await settling;
  repairer.letGo();
  await repairing;
  expect(await driftAtRest()).toBe(0);
  const { messages } = await database.db.selectFrom('source_total').select('messages').executeTakeFirstOrThrow();
  expect(messages).toBe(13);
});

it.each([
  ['alignments', align, 'renew-versions'],
  ['classes', classify, 'hold-versions'],
])('writes no %s of a copy on the records of the one that replaced it', async (_, judge, statement) => {
  await takeInCopies(...COPIES);
  await giveOwnDetails(database.db);
  await sql`update stored_record set dkim_aligned = null`.execute(database.db); // as older versions left it
  if (judge === classify) await align(database);
  await using held = holdStatement(database.url, statement);
  const judging = judge(held.database);
  await held.reached; // judged by the first copy, not written yet
  await settle(database);
  held.letGo();
  await judging;
  // rows that were written again, besides those that were inserted
  const { rows } = await sql<{ written: number }>`
    select count(*) filter (where r.class is not null or r.xmin <> p.xmin) as written
    from stored_record r join report p on p.org_id = r.org_id and p.id = r.report_id`.execute(database.db);
  expect(rows[0]?.written).toBe(0);
  expect(await driftAtRest()).toBe(0);
});

/** Mail with a broken signature of a selector that may have passed before, from an address that is never looked up. */
const relayed = (id: string) => {
  const record = { ip: '192.0.2.7', count: 5, spfDomain: 'lists.example.net', spfResult: 'pass' };
  return reportXml({ id, records: [record] });
};
const signed = () => reportXml({ id: 'signed', records: [{ ip: '192.0.2.9', count: 1, dkim: 'pass', spf: 'pass' }] });

const idsOf = async (reports: string[]) => {
  const found = database.db.selectFrom('report').select('id').where('report_id', 'in', reports);
  return { orgId, reportIds: (await found.execute()).map(({ id }) => id) };
};

const judgeSource = (on: Database) => judgeSources({ database: on }, { orgId, addresses: ['192.0.2.7'] });

it.each([
  ['its source is judged', judgeSource, 'commit'],
  ['it is classified', async (on: Database) => classifyReports({ database: on }, await idsOf(['early'])), undefined],
])('classes mail by a selector that passes for the first time while %s', async (_, judge, after) => {
  const needs = { database, organizationalDomain };
  await takeInCopies(relayed('early'));
  await alignReports(needs, await idsOf(['early']));
  await takeInCopies(relayed('late'));
  await using held = holdStatement(database.url, BEGIN, after);
  const judging = judge(held.database);
  await held.reached; // its records have been read, and nothing is evidence yet
  await takeInCopies(signed());
  await alignReports(needs, await idsOf(['signed']));
  const { domain_id: domainId } = await database.db
    .selectFrom('unjudged_signature')
    .select('domain_id')
    .executeTakeFirstOrThrow();
  await judgeSignatures(needs, { orgId, domainId });
  await alignReports(needs, await idsOf(['late']));
  await classifyReports(needs, await idsOf(['early', 'late', 'signed']));
  held.letGo();
  await judging;
  const records = await database.db.selectFrom('report_record').select('class').where('spf_pass', '=', false).execute();
  expect(records).toEqual([{ class: 'likely_forwarded' }, { class: 'likely_forwarded' }]);
  expect(await driftAtRest()).toBe(0);
});

it('classes mail by a selector that passes for the first time while its report is read again', async () => {
  const needs = { database, organizationalDomain, blobs, dimensions: openDimensions(database) };
  await takeInCopies(relayed('early'));
  const early = await idsOf(['early']);
  await alignReports(needs, early);
  await classifyReports(needs, early);
  const { id: messageId } = await database.db.selectFrom('raw_message').select('id').executeTakeFirstOrThrow();
  await transact(database, (session) =>
    requeueDeliveries(session, orgId, { messageIds: [messageId], reportIds: early.reportIds }),
  );
  await using held = holdStatement(database.url, BEGIN_UNLIMITED);
  const reading = rereadReports({ ...needs, database: held.database }, early);
  await held.reached; // it is judged as it would be now: nothing is evidence yet
  await takeInCopies(signed());
  await alignReports(needs, await idsOf(['signed']));
  const { domain_id: domainId } = await database.db
    .selectFrom('unjudged_signature')
    .select('domain_id')
    .executeTakeFirstOrThrow();
  await judgeSignatures(needs, { orgId, domainId });
  held.letGo();
  await reading;
  await alignReports(needs, early);
  await classifyReports(needs, early);
  const records = await database.db.selectFrom('report_record').select('class').where('spf_pass', '=', false).execute();
  expect(records).toEqual([{ class: 'likely_forwarded' }]);
  expect(await driftAtRest()).toBe(0);
});

it('classes mail by the alignment that a replay corrects while its source is judged', async () => {
  const needs = { database, organizationalDomain, blobs, dimensions: openDimensions(database) };
  await takeInCopies(relayed('early'), signed());
  const both = await idsOf(['early', 'signed']);
  await alignReports(needs, both);
  await classifyReports(needs, both);
  const { id: domainId } = await database.db.selectFrom('domain').select('id').executeTakeFirstOrThrow();
  await judgeSignatures(needs, { orgId, domainId });
  await classifyReports(needs, both);
  await giveOwnDetails(database.db);
  await sql`update stored_record set dkim_aligned = null`.execute(database.db); // as older versions left it
  const messages = await database.db.selectFrom('raw_message').select('id').execute();
  const queued = { messageIds: messages.map(({ id }) => id), reportIds: both.reportIds };
  await transact(database, (session) => requeueDeliveries(session, orgId, queued));
  await using held = holdStatement(database.url, BEGIN, 'commit');
  const judging = judgeSource(held.database);
  await held.reached; // its records have been read, with the alignment that is stored
  await rereadReports(needs, both);
  await alignReports(needs, both);
  await classifyReports(needs, both);
  held.letGo();
  await judging;
  const failing = database.db.selectFrom('report_record').select(['class', 'dkim_aligned']);
  expect(await failing.where('spf_pass', '=', false).execute()).toEqual([
    { class: 'likely_forwarded', dkim_aligned: [true] },
  ]);
  expect(await driftAtRest()).toBe(0);
});

it('has a copy wait that replaces another whose classes are being written', async () => {
  await takeInCopies(...COPIES);
  await align(database);
  await using held = holdStatement(database.url, 'add-to-day-classes');
  const judging = classify(held.database);
  await held.reached;
  const settling = settle(database);
  held.letGo();
  await Promise.all([judging, settling]);
  expect(await driftAtRest()).toBe(0);
  const day = await database.db.selectFrom('domain_day').select(['messages', 'forwarded']).executeTakeFirstOrThrow();
  expect(day).toEqual({ messages: 13, forwarded: 3 });
});

const DAY_MS = 86_400_000;
const dayFrom = (days: number) => dayOf(Math.floor((Date.now() + days * DAY_MS) / 1_000));

/** True once the health of the domain will be computed soon: by the planner, or by a job that was announced. */
async function isHealthDue(): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select health_due_at < now() + interval '1 minute' or exists (
      select from outbox where job = 'computeHealth' and payload ->> 'domainId' = domain.id::text) as due
    from domain`.execute(database.db);
  return rows.some(({ due }) => due);
}

it.each<[string, (domainId: string, judge: () => Promise<unknown>) => Promise<unknown>]>([
  [
    'its health is stored',
    async (domainId, judge) => {
      await using held = holdStatement(database.url, 'commit');
      const computing = computeHealth({ database: held.database }, { orgId, domainId });
      await held.reached;
      await judge();
      held.letGo();
      await computing;
    },
  ],
  [
    'what became of the mail of its days is stored',
    async (domainId, judge) => {
      await computeHealth({ database }, { orgId, domainId });
      await sql`delete from enforcement_day`.execute(database.db);
      const mail = { orgId, domainId, domain: 'example.com', from: dayFrom(-3_650), to: dayFrom(0) };
      await transact(database, async (session) => {
        expect(await refreshEnforcementDays(session, mail, { days: 5, quietMinutes: 60 })).toBe(1);
        await judge();
      });
    },
  ],
])('computes the health of a domain again whose mail is judged while %s', async (_, whileStored) => {
  await takeInCopies(reportXml({ records: [other] }));
  await align(database);
  await planHealth(database, { inHand: 10, atOnce: 10 });
  const { id } = await database.db.selectFrom('domain').select('id').executeTakeFirstOrThrow();
  await sql`delete from outbox`.execute(database.db);
  await whileStored(id, () => classify(database));
  expect(await isHealthDue()).toBe(true);
});

it('computes the health of a domain again that was computed while its reports were being removed', async () => {
  await takeInCopies(reportXml({ records: [other] }), reportXml({ id: 'kept', records: [other] }));
  await sql`update report set received_at = now() - interval '1 day' where report_id <> 'kept'`.execute(database.db);
  await using held = holdStatement(database.url, 'drop-empty-days');
  const removing = transact(held.database, (session) => removeReports(session, orgId, new Date(Date.now() - 60_000)));
  await held.reached;
  await planHealth(database, { inHand: 10, atOnce: 10 });
  const { id } = await database.db.selectFrom('domain').select('id').executeTakeFirstOrThrow();
  await computeHealth({ database }, { orgId, domainId: id });
  await sql`delete from outbox`.execute(database.db);
  held.letGo();
  expect(await removing).toMatchObject({ reports: 1 });
  expect(await isHealthDue()).toBe(true);
});

it('repairs one organization while another stores, and does not keep the other waiting', async () => {
  await takeInCopies(reportXml({ records: [forwarded] }));
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
  expect(await driftAtRest()).toBe(0);
});

it('leaves no report waiting that a purge deletes while an audit has it judged again', async () => {
  await takeInCopies(signed());
  await alignReports({ database, organizationalDomain }, await idsOf(['signed']));
  await classifyReports({ database }, await idsOf(['signed']));
  await sql`delete from dkim_pass`.execute(database.db); // as older versions left it
  await using held = holdStatement(database.url, BEGIN);
  const auditing = rebuildRollups(held.database, orgId);
  await held.reached; // the report has been found
  await transact(database, (session) => removeReports(session, orgId, new Date(Date.now() + 60_000)));
  held.letGo();
  await auditing;
  expect(await database.db.selectFrom('unjudged_report').select('report_id').execute()).toEqual([]);
});

it('stores a report that a purge deletes between two looks at it', async () => {
  await takeInCopies(COPIES[0] ?? Buffer.alloc(0));
  const stored = await database.db.selectFrom('report').selectAll().executeTakeFirstOrThrow();
  await using held = holdStatement(database.url, 'hold-identities');
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
  expect(await driftAtRest()).toBe(0);
});

it('monitors a domain whose next report is stored while its last one is purged', async () => {
  await takeInCopies(reportXml({ id: 'last', records: [forwarded] }));
  await using held = holdStatement(database.url, 'commit');
  const purging = transact(held.database, (session) => removeReports(session, orgId, new Date(Date.now() + 60_000)));
  await held.reached; // the domain is dropped, and no other transaction knows yet
  const taking = takeInCopies(reportXml({ id: 'next', records: [other] }));
  await vi.waitFor(async () => {
    const { rows } = await sql`select from pg_locks where not granted`.execute(database.db);
    expect(rows.length).toBeGreaterThan(0);
  }, 30_000);
  held.letGo();
  await Promise.all([purging, taking]);
  const { db } = database;
  expect(await db.selectFrom('report').select('report_id').execute()).toEqual([{ report_id: 'next' }]);
  const domains = await db.selectFrom('domain').select(['monitored', 'left_at']).execute();
  expect(domains).toEqual([{ monitored: true, left_at: null }]);
  expect(await driftAtRest()).toBe(0);
});

/** Name servers that publish this DMARC record and nothing else, and answer once `until` is fulfilled. */
const publishing = (record: string, until?: Promise<void>) => (): Ask => {
  const none = async () => ({ kind: 'none' as const });
  return {
    isValidating: false,
    async text(name) {
      await until;
      return name === '_dmarc.example.com' ? { kind: 'found', values: [record] } : { kind: 'none' };
    },
    mailServers: none,
    addresses: none,
    isNameAbsent: async () => false,
    validatedMailServers: async () => ({ found: { kind: 'none' }, isSecure: false }),
    tlsa: async () => ({ found: { kind: 'none' }, isSecure: false }),
    presented: async () => ({ kind: 'unasked' }),
    fetch: async () => ({ kind: 'silent', reason: 'timeout' }),
  };
};

it('shows what a person found who checked a domain while a check with older answers was under way', async () => {
  const { id: domainId } = await addDomain(database.db, orgId, 'example.com', {});
  const check = (ask: () => Ask) => checkDomain({ database, organizationalDomain, ask }, { orgId, domainId });
  await check(publishing('v=DMARC1; p=none'));
  const asked = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const checking = check(() => {
    asked.resolve();
    return publishing('v=DMARC1; p=none', late.promise)();
  });
  await asked.promise;
  await check(publishing('v=DMARC1; p=reject'));
  late.resolve();
  await checking;
  const [dmarc] = (await findChecks(database.db, orgId, domainId)).filter(({ subject }) => subject === 'dmarc');
  expect(dmarc?.records).toEqual(['v=DMARC1; p=reject']);
  const seen = (await findCheckChanges(database.db, orgId, domainId, 100)).filter(({ subject }) => subject === 'dmarc');
  expect(seen.map(({ records }) => records)).toEqual([['v=DMARC1; p=reject'], ['v=DMARC1; p=none']]);
});

it('reads a report once more that is queued while it is read again', async () => {
  await takeInCopies(reportXml({ records: [forwarded] }));
  const id = await reportId();
  const { id: messageId } = await database.db.selectFrom('raw_message').select('id').executeTakeFirstOrThrow();
  const replay = () =>
    transact(database, (session) => requeueDeliveries(session, orgId, { messageIds: [messageId], reportIds: [id] }));
  await replay();
  await using held = holdStatement(database.url, BEGIN_UNLIMITED);
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
    await takeInCopies();
  };
  await bring(reportXml({ records: [forwarded] }), 'fail');
  await bring(xmlOfFour(), 'fail');
  await setOrganization(database, orgId, { unauthenticated: 'hold' });
  const id = await reportId();
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
  await using held = holdStatement(database.url, BEGIN_UNLIMITED);
  const settling = settle(held.database);
  await held.reached; // both copies are held, so the report is about to be removed
  await bring(better(), 'pass');
  held.letGo();
  await settling;
  const report = await database.db.selectFrom('report').select(['id', 'messages', 'unauthenticated']).execute();
  expect(report).toEqual([{ id, messages: better === xmlOfFour ? 4 : 5, unauthenticated: false }]);
  expect(await driftAtRest()).toBe(0);
});

it('does not mark the copy that counts by now with what is known of the one that counted before', async () => {
  const mailbox = await openMailbox({ database, blobs, orgId }, { authservIds: [SERVER] });
  const bring = async (xml: Buffer, verdict: 'fail' | 'pass') => {
    await mailbox.bring(mailOf(xml, verdict));
    await takeInCopies();
  };
  await bring(reportXml({ records: [forwarded, other] }), 'fail');
  await bring(reportXml({ records: [forwarded] }), 'fail');
  await using held = holdStatement(database.url, BEGIN);
  const settling = settle(held.database);
  await held.reached; // the first copy counts, which failed
  await bring(xmlOfFive(), 'pass');
  await settle(database);
  held.letGo();
  await settling;
  const report = await database.db.selectFrom('report').select(['messages', 'unauthenticated']).execute();
  expect(report).toEqual([{ messages: 5, unauthenticated: false }]);
  expect(await driftAtRest()).toBe(0);
});

it('removes a report whose counted copy is held while its copies are compared, of which none may count', async () => {
  const needs = { database, organizationalDomain, blobs, dimensions: openDimensions(database) };
  const mailbox = await openMailbox({ database, blobs, orgId }, { authservIds: [SERVER] });
  for (const xml of [reportXml({ records: [forwarded] }), xmlOfFour()]) {
    await mailbox.bring(mailOf(xml, 'fail'));
    await takeInCopies();
  }
  await setOrganization(database, orgId, { unauthenticated: 'hold' });
  const id = await reportId();
  const { id: messageId } = await database.db
    .selectFrom('raw_message')
    .select('id')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  await transact(database, (session) =>
    requeueDeliveries(session, orgId, { messageIds: [messageId], reportIds: [id] }),
  );
  await using held = holdStatement(database.url, BEGIN);
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
  await takeInCopies(reportXml({ records: [forwarded] })); // 3
  await mailbox.bring(mailOf(reportXml({ records: [forwarded, { ip: '192.0.2.8', count: 6 }] }), 'fail')); // 9
  await takeInCopies();
  await setOrganization(database, orgId, { unauthenticated: setting === 'hold' ? 'count' : 'hold' });
  await using held = holdStatement(database.url, setting === 'hold' ? BEGIN_UNLIMITED : BEGIN);
  const settling = settle(held.database);
  await held.reached;
  await setOrganization(database, orgId, { unauthenticated: setting });
  const { id } = await database.db
    .selectFrom('raw_message')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  await transact(database, async (session) =>
    requeueDeliveries(session, orgId, { messageIds: [id], reportIds: [await reportId()] }),
  );
  await takeInCopies();
  held.letGo();
  await settling;
  await settleReport(needs, { orgId, reportId: await reportId() });
  expect(await database.db.selectFrom('report').select('messages').execute()).toEqual([{ messages }]);
});

it('does not mark a report that is counted anew while a mail comes that passed', async () => {
  const needs = { database, organizationalDomain, blobs, dimensions: openDimensions(database) };
  const mailbox = await openMailbox({ database, blobs, orgId }, { authservIds: [SERVER] });
  await mailbox.bring(mailOf(xmlOfFour(), 'fail'));
  await takeInCopies();
  const id = await reportId();
  const { id: messageId } = await database.db.selectFrom('raw_message').select('id').executeTakeFirstOrThrow();
  await sql`update report set policy = policy || '{"pct":7}'`.execute(database.db); // as an older reader left it
  await transact(database, (session) =>
    requeueDeliveries(session, orgId, { messageIds: [messageId], reportIds: [id] }),
  );
  await using held = holdStatement(database.url, BEGIN_UNLIMITED);
  const reading = rereadReports({ ...needs, database: held.database }, { orgId, reportIds: [id] });
  await held.reached; // its content differs from what is stored, and its mail failed
  await mailbox.bring(mailOf(xmlOfFour(), 'pass'));
  await takeInCopies();
  held.letGo();
  await reading;
  const report = await database.db.selectFrom('report').select(['messages', 'unauthenticated']).execute();
  expect(report).toEqual([{ messages: 4, unauthenticated: false }]);
  expect(await database.db.selectFrom('parse_warning').select('code').execute()).toEqual([]);
  expect(await driftAtRest()).toBe(0);
});

it('leaves the event open that was raised anew while another process was ending the one before', async () => {
  const unreadable = (n: number) => Buffer.from(`<feedback><report_metadata>${n}`);
  await takeInCopies(unreadable(1), unreadable(2), unreadable(3));
  await lookAtOrganizations(database);
  await sql`update raw_message set finished_at = now() - interval '8 days'`.execute(database.db);
  await sql`update event_condition set ends_at = now() - interval '1 day'`.execute(database.db);
  await using held = holdStatement(database.url, BEGIN);
  const looking = lookAtOrganizations(held.database);
  await held.reached; // it has found nothing of late that could not be read
  await takeInCopies(unreadable(4), unreadable(5), unreadable(6));
  await lookAtOrganizations(database);
  held.letGo();
  await looking;
  const events = await database.db.selectFrom('event').select('resolved_at').orderBy('created_at').execute();
  expect(events.map(({ resolved_at }) => resolved_at === null)).toEqual([false, true]);
});

it('signs in to a mailbox with the consent that was given while a token of the one before was being kept', async () => {
  const secrets = openSecretBox('0123456789abcdef'.repeat(4));
  const add = async (refreshToken: string) => {
    const id = await addMailbox(database, orgId, {
      host: 'imap.example',
      port: 993,
      tls: 'implicit',
      ca: null,
      username: 'rua',
      folder: 'INBOX',
      auth: 'oauth',
      after_intake: 'leave',
      processed_folder: 'Processed',
      refused_folder: 'Refused',
      shared: false,
      authserv_ids: [],
      oauth: { tokenUrl: 'https://token.example', clientId: 'client', grant: 'refresh_token', scope: null },
      seal: (mailboxId) =>
        secrets.seal(JSON.stringify({ clientSecret: null, refreshToken }), secretPlace({ orgId, mailboxId }, 'secret')),
    });
    return { orgId, mailboxId: id };
  };
  const asked: string[] = [];
  const requestToken: RequestToken = async ({ grant }) => {
    const by = 'refreshToken' in grant ? grant.refreshToken : '';
    asked.push(by);
    return { accessToken: `by ${by}`, expiresAt: new Date(Date.now() + 3_600_000), refreshToken: `after ${by}` };
  };
  const key = await add('old');
  await using held = holdStatement(database.url, 'commit');
  const signingIn = accessToken({ database: held.database, secrets, requestToken }, key);
  await held.reached; // the token was given, and the connection is lost before it is kept
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(database.db);
  await add('new');
  held.letGo();
  expect(await signingIn).toMatchObject({ accessToken: 'by new' });
  expect(asked).toEqual(['old', 'new']);
  const { secret } = await database.db.selectFrom('mailbox').select('secret').executeTakeFirstOrThrow();
  expect(secrets.open(secret, secretPlace(key, 'secret'))).toContain('after new');
});
