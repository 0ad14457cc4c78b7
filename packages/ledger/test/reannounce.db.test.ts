import { randomBytes, randomUUID } from 'node:crypto';
import { reannounceStale } from '@dmarc-ledger/ledger';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let database: ClonedDatabase;
beforeEach(async () => {
  database = await cloneDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

it('announces what has waited too long once more, and returns how many jobs of which kind', async () => {
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

describe('copies of reports that wait to be compared', () => {
  const orgId = randomUUID();

  /** Inserts a report whose copies arrived this many seconds ago. */
  async function given(seconds: number, copies = 1, settled = false): Promise<string> {
    const reportId = randomUUID();
    for (let i = 0; i < copies; i += 1)
      await sql`insert into report_revision (org_id, report_id, payload_sha256, message_id, document, received_at, settled)
        values (${orgId}, ${reportId}, ${randomBytes(32)}, ${randomUUID()}, '', now() - make_interval(secs => ${seconds}),
          ${settled})`.execute(database.db);
    return reportId;
  }

  /** The announced reports, in no order. */
  async function announced(limit = 500): Promise<string[]> {
    await reannounceStale(database, 60, limit);
    const { rows } = await sql<{ job: string; id: string }>`
      delete from outbox returning job, payload ->> 'reportId' as id`.execute(database.db);
    expect(new Set(rows.map(({ job }) => job)).size).toBeLessThanOrEqual(1);
    return rows.map(({ id }) => id).toSorted();
  }

  it('are announced once for each report, and not again at once', async () => {
    const reports = [await given(100), await given(200, 3)];
    await given(5);
    await given(300, 1, true);
    expect(await announced()).toEqual(reports.toSorted());
    expect(await announced()).toEqual([]);
    await sql`update report_revision set announced_at = announced_at - interval '61 seconds'`.execute(database.db);
    expect(await announced()).toEqual(reports.toSorted());
  });

  it('all have their turn, though there are more than are announced at once, and none is ever settled', async () => {
    const oldest = [await given(500), await given(400)];
    const others = [await given(300), await given(200), await given(100)];
    expect(await announced(2)).toEqual(oldest.toSorted());
    expect([...(await announced(2)), ...(await announced(2))].toSorted()).toEqual(others.toSorted());
    expect(await announced(2)).toEqual([]);
  });

  it('are announced once by concurrent sweeps', async () => {
    const reports = await Promise.all(Array.from({ length: 20 }, () => given(100)));
    await Promise.all(Array.from({ length: 4 }, () => reannounceStale(database, 60, 500)));
    expect(await announced()).toEqual(reports.toSorted());
  });
});
