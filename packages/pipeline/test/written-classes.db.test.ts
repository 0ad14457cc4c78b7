import { findDoubtedReports } from '@dmarc-ledger/ledger';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { driftOf } from './ledger.ts';
import { openSteps, type Steps } from './steps.ts';

let steps: Steps;
beforeEach(async () => {
  steps = await openSteps();
});
afterEach(() => steps[Symbol.asyncDispose]());

const RECORDS = [
  { ip: '192.0.2.7', count: 3, reason: 'mailing_list' },
  { ip: '192.0.2.7', count: 5 },
  { ip: '192.0.2.8', count: 7, dkim: 'pass' as const },
];

async function classes() {
  const records = steps.database.db.selectFrom('report_record').select(['position', 'class', 'proved']);
  return await records.orderBy('position').orderBy('report_id').execute();
}

const STORED = [
  { position: 1, class: 'likely_forwarded', proved: true },
  { position: 2, class: 'needs_review', proved: false },
  { position: 3, class: 'authenticated', proved: false },
];

it('gives failing mail its class, and adds it to all sums, with the report that brings it', async () => {
  await steps.takeIn({ records: RECORDS });
  expect(await classes()).toEqual(STORED);
  const { database, blobs, orgId } = steps;
  expect(await driftOf({ database, blobs, orgId })).toBe(0);
  const day = database.db.selectFrom('domain_day').select(['messages', 'forwarded', 'proved']);
  expect(await day.executeTakeFirstOrThrow()).toEqual({ messages: 15, forwarded: 3, proved: 3 });
});

it('rests no event on a report before it is judged', async () => {
  await steps.takeIn({ records: RECORDS });
  const { db } = steps.database;
  const { id } = await db.selectFrom('domain').select('id').executeTakeFirstOrThrow();
  const doubted = () => findDoubtedReports(db, steps.orgId, id, '2026-11-01');
  expect(await doubted()).toEqual([await steps.reportId()]);
  await steps.align();
  await steps.classify();
  expect(await doubted()).toEqual([]);
});

it('adds the class of each record to the sums once when another copy is counted', async () => {
  await steps.takeIn({ id: 'r', records: RECORDS.slice(0, 1) });
  await steps.takeIn({ id: 'r', records: [...RECORDS, { ip: '192.0.2.9', count: 2, reason: 'forwarded' }] });
  await steps.settle();
  await steps.align();
  await steps.classify();
  await steps.repair();
  const { database, blobs, orgId } = steps;
  expect(await driftOf({ database, blobs, orgId })).toBe(0);
  const day = database.db.selectFrom('org_day').select(['messages', 'forwarded']);
  expect(await day.executeTakeFirstOrThrow()).toEqual({ messages: 17, forwarded: 5 });
});

it('writes no record again whose class is what the judgement finds', async () => {
  await steps.takeIn({ records: RECORDS });
  const versions = () =>
    sql<{ xmin: string }>`select xmin::text from stored_record order by position`.execute(steps.database.db);
  const before = await versions();
  await steps.align();
  await steps.classify();
  expect((await versions()).rows).toEqual(before.rows);
  expect(await steps.drift()).toBe(0);
});

it('gives failing mail of a known source the class that follows from what is known', async () => {
  await steps.takeIn({ id: 'first', records: RECORDS });
  await steps.align('first');
  await steps.rate('192.0.2.7', 100);
  await steps.takeIn({ id: 'second', records: RECORDS });
  const second = STORED.with(1, { position: 2, class: 'suspicious', proved: false });
  expect(await classes()).toEqual([...STORED, ...second].toSorted((a, b) => a.position - b.position));
  const { database, blobs, orgId } = steps;
  expect(await driftOf({ database, blobs, orgId })).toBe(0);
});

it('changes the class of failing mail once its source is known', async () => {
  await steps.takeIn({ records: RECORDS });
  await steps.align();
  await steps.rate('192.0.2.7', 100);
  await steps.classify();
  await steps.judgeWaiting();
  expect(await classes()).toEqual(STORED.with(1, { position: 2, class: 'suspicious', proved: false }));
  expect(await steps.drift()).toBe(0);
});
