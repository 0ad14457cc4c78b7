import {
  createOrganization,
  enterMessages,
  findBudgetLeft,
  findDirtyBacklog,
  findIntakeLag,
  findOutboxBacklog,
  takeCall,
  saveBudget,
} from '@dmarc-ledger/ledger';
import { awayFromTheTurn, cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { hash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

it('reports no waiting work for an empty fixture', async () => {
  const { db } = database;
  expect(await findIntakeLag(db)).toBe(0);
  expect(await findOutboxBacklog(db)).toEqual({ count: 0, oldestSeconds: 0 });
  expect(await findDirtyBacklog(db)).toEqual({ count: 0, oldestSeconds: 0 });
});

it('returns the age of the delivery that has waited longest in any organization; ended deliveries do not wait', async () => {
  await given(50, 'received');
  await given(300, 'processing');
  await given(20, 'received');
  await given(9_000, 'stored');
  expect(await findIntakeLag(database.db)).toBeCloseTo(300, -2);
});

it('returns how much announced work waits, and how long', async () => {
  const { db } = database;
  const entry = (seconds: number) => sql`insert into outbox (id, org_id, job, payload, created_at)
    values (${randomUUID()}, ${randomUUID()}, 'alignReports', '{}', now() - make_interval(secs => ${seconds}))`;
  for (const seconds of [10, 4_000, 70]) await entry(seconds).execute(db);
  const { count, oldestSeconds } = await findOutboxBacklog(db);
  expect(count).toBe(3);
  expect(Math.round(oldestSeconds / 1_000)).toBe(4);
});

it('counts a large backlog no further than its bound', async () => {
  const { db } = database;
  await sql`insert into rollup_dirty (org_id, source_ip, day, domain_id, since)
    select ${randomUUID()}, '10.0.0.0'::inet + n, '2026-01-01', ${randomUUID()}, now() - interval '1 hour'
    from generate_series(1, 12000) n`.execute(db);
  const { count, oldestSeconds } = await findDirtyBacklog(db);
  expect(count).toBe(10_000);
  expect(Math.round(oldestSeconds / 1_000)).toBe(4);
});

it('returns what is left of a budget: one less after each call, zero while the service refuses', async () => {
  await awayFromTheTurn();
  const { db } = database;
  const left = () => findBudgetLeft(db, 'rating', 100);
  expect(await left()).toBe(100);
  await takeCall(db, 'rating', 100);
  expect(await left()).toBe(99);
  await saveBudget(db, 'rating', { spent: 150 });
  expect(await left()).toBe(0);
  expect(await findBudgetLeft(db, 'rating', 1_000)).toBe(850);
  await saveBudget(db, 'rating', { refusedUntil: new Date(Date.now() + 60_000) });
  expect(await findBudgetLeft(db, 'rating', 1_000)).toBe(0);
});

/** Inserts a delivery for a new organization, received this many seconds ago. */
async function given(secondsAgo: number, state: 'received' | 'processing' | 'stored'): Promise<void> {
  const { db } = database;
  const { id: orgId } = await createOrganization(db, { name: randomUUID() });
  const sha256 = hash('sha256', randomUUID(), 'buffer');
  const [message] = await enterMessages(db, orgId, [{ sha256, size: 1, source: 'file', name: null }]);
  await db
    .updateTable('raw_message')
    .set({ state, received_at: new Date(Date.now() - secondsAgo * 1_000) })
    .where('org_id', '=', orgId)
    .where('id', '=', message!.id)
    .execute();
}
