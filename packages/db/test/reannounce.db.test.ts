import { randomUUID } from 'node:crypto';
import { reannounceStale } from '@dmarc-ledger/db';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

it('announces what has waited too long once more, and tells how many jobs of which kind', async () => {
  const { db } = database;
  expect(await reannounceStale(database, 60, 500)).toEqual([]);
  const dirty = (seconds: number) => sql`insert into rollup_dirty (org_id, source_ip, day, domain_id, since)
    values (${randomUUID()}, '192.0.2.1', '2026-01-01', ${randomUUID()}, now() - make_interval(secs => ${seconds}))`;
  const unjudged = (seconds: number, step: string) => sql`insert into unjudged_report (org_id, report_id, step, since)
    values (${randomUUID()}, ${randomUUID()}, ${step}, now() - make_interval(secs => ${seconds}))`;
  for (const one of [dirty(100), dirty(200), dirty(5), unjudged(100, 'align'), unjudged(5, 'classify')])
    await one.execute(db);
  const found = await reannounceStale(database, 60, 500);
  expect(found.toSorted((a, b) => (a.job < b.job ? -1 : 1))).toEqual([
    { job: 'alignReports', count: 1 },
    { job: 'repairRollups', count: 2 },
  ]);
  expect(await db.selectFrom('outbox').select('job').execute()).toHaveLength(3);
});
