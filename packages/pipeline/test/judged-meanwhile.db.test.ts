import type { BlobStore } from '@dmarc-ledger/blobs';
import { openDimensions, requeueDeliveries, rebuildRollups, removeReports } from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { giveOwnDetails, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rereadReports } from '../src/replay/reread-reports.ts';
import { alignReports } from '../src/records/align-reports.ts';
import { classifyReports } from '../src/records/classify-reports.ts';
import { judgeSignatures } from '../src/records/judge-signatures.ts';
import { judgeSources } from '../src/sources/judge-sources.ts';
import { BEGIN, BEGIN_UNLIMITED, holdStatement } from './held-statement.ts';
import { openSteps, organizationalDomain, type Steps } from './steps.ts';

let steps: Steps;
let database: ClonedDatabase;
let blobs: BlobStore;
let orgId: string;
beforeEach(async () => {
  steps = await openSteps();
  ({ database, blobs, orgId } = steps);
});
afterEach(() => steps[Symbol.asyncDispose]());

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

/** The selector passes for the first time, and the mail that carries it is announced. */
async function selectorPasses(): Promise<void> {
  const needs = { database, organizationalDomain };
  await steps.takeIn(signed());
  await alignReports(needs, await idsOf(['signed']));
  const { domain_id: domainId } = await database.db
    .selectFrom('unjudged_signature')
    .select('domain_id')
    .executeTakeFirstOrThrow();
  await judgeSignatures(needs, { orgId, domainId });
}

const judgeSource = (on: Database) => judgeSources({ database: on }, { orgId, addresses: ['192.0.2.7'] });

it.each([
  ['its source is judged', judgeSource, 'commit'],
  ['it is classified', async (on: Database) => classifyReports({ database: on }, await idsOf(['early'])), undefined],
])('classes mail by a selector that passes for the first time while %s', async (_, judge, after) => {
  const needs = { database, organizationalDomain };
  await steps.takeIn(relayed('early'));
  await alignReports(needs, await idsOf(['early']));
  await steps.takeIn(relayed('late'));
  await using held = holdStatement(database.socketUrl, BEGIN, after);
  const judging = judge(held.database);
  await held.reached; // its records have been read, and nothing is evidence yet
  await selectorPasses();
  await alignReports(needs, await idsOf(['late']));
  await classifyReports(needs, await idsOf(['early', 'late', 'signed']));
  held.letGo();
  await judging;
  const records = await database.db.selectFrom('report_record').select('class').where('spf_pass', '=', false).execute();
  expect(records).toEqual([{ class: 'likely_forwarded' }, { class: 'likely_forwarded' }]);
  expect(await steps.driftAtRest()).toBe(0);
});

it('classes mail by a selector that passes for the first time while its report is read again', async () => {
  const needs = { database, organizationalDomain, blobs, dimensions: openDimensions(database) };
  await steps.takeIn(relayed('early'));
  const early = await idsOf(['early']);
  await alignReports(needs, early);
  await classifyReports(needs, early);
  const { id: messageId } = await database.db.selectFrom('raw_message').select('id').executeTakeFirstOrThrow();
  await transact(database, (session) =>
    requeueDeliveries(session, orgId, { messageIds: [messageId], reportIds: early.reportIds }),
  );
  await using held = holdStatement(database.socketUrl, BEGIN_UNLIMITED);
  const reading = rereadReports({ ...needs, database: held.database }, early);
  await held.reached; // it is judged as it would be now: nothing is evidence yet
  await selectorPasses();
  held.letGo();
  await reading;
  await alignReports(needs, early);
  await classifyReports(needs, early);
  const records = await database.db.selectFrom('report_record').select('class').where('spf_pass', '=', false).execute();
  expect(records).toEqual([{ class: 'likely_forwarded' }]);
  expect(await steps.driftAtRest()).toBe(0);
});

it('classes mail by the alignment that a replay corrects while its source is judged', async () => {
  const needs = { database, organizationalDomain, blobs, dimensions: openDimensions(database) };
  await steps.takeIn(relayed('early'), signed());
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
  await using held = holdStatement(database.socketUrl, BEGIN, 'commit');
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
  expect(await steps.driftAtRest()).toBe(0);
});

it('leaves no report waiting that a purge deletes while an audit has it judged again', async () => {
  await steps.takeIn(signed());
  await alignReports({ database, organizationalDomain }, await idsOf(['signed']));
  await classifyReports({ database }, await idsOf(['signed']));
  await sql`delete from dkim_pass`.execute(database.db); // as older versions left it
  await using held = holdStatement(database.socketUrl, BEGIN);
  const auditing = rebuildRollups(held.database, orgId);
  await held.reached; // the report has been found
  await transact(database, (session) => removeReports(session, orgId, new Date(Date.now() + 60_000)));
  held.letGo();
  await auditing;
  expect(await database.db.selectFrom('unjudged_report').select('report_id').execute()).toEqual([]);
});
