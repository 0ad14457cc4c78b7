import { cloneDatabase, type ClonedDatabase, givenMany } from '@dmarc-ledger/testkit';
import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBringers, type StoredCopy } from '../src/index.ts';

const REPORTS = 1_000;

let database: ClonedDatabase;
let orgId: string;
let copies: StoredCopy[];
beforeAll(async () => {
  database = await cloneDatabase();
  const { db } = database;
  orgId = await givenMany(db, 'one', { reports: REPORTS, recordsEach: 1, domains: 1, reporters: 1, sources: 1 });
  const hash = sql.raw('sha256(id::text::bytea)');
  await sql`update report set payload_sha256 = ${hash} where org_id = ${orgId}`.execute(db);
  await sql`
    insert into raw_message (org_id, id, sha256, size, source, received_at, state, parts)
    select org_id, id, ${hash}, 1, 'mailbox', received_at, 'stored', '[]' from report where org_id = ${orgId}`.execute(
    db,
  );
  await sql`
    insert into report_revision (org_id, report_id, payload_sha256, message_id, document, received_at, settled)
    select org_id, id, payload_sha256, id, '', received_at, true from report where org_id = ${orgId}`.execute(db);
  const { rows } = await sql<StoredCopy>`
    select id as "reportId", payload_sha256 as "payloadSha256" from report where org_id = ${orgId}`.execute(db);
  copies = rows;
  await repeat(copies);
});
afterAll(() => database[Symbol.asyncDispose]());

/** Deliveries that each repeat all of these copies. */
async function repeat(of: readonly StoredCopy[], deliveries = 1): Promise<void> {
  const parts = of.map(({ payloadSha256 }, i) => ({
    path: `${i}.xml`,
    kind: 'rua',
    sha256: payloadSha256.toString('hex'),
    outcome: 'duplicate',
    code: null,
    message: 'Another delivery brought it.',
    reports: [],
    warnings: [],
  }));
  await sql`
    insert into raw_message (org_id, id, sha256, size, source, received_at, state, parts)
    select ${orgId}, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 1, 'upload', now(), 'duplicate', ${JSON.stringify(parts)}::jsonb
    from generate_series(1, ${deliveries}::integer)`.execute(database.db);
}

/** The blocks that the work reads of long values of deliveries. */
async function partsRead(work: (db: Db) => Promise<unknown>): Promise<number> {
  return await database.db.connection().execute(async (db) => {
    const read = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db);
      await sql`select pg_stat_clear_snapshot()`.execute(db);
      const { rows } = await sql<{ blocks: number }>`
        select (toast_blks_read + toast_blks_hit)::integer as blocks from pg_statio_user_tables
        where relname = 'raw_message'`.execute(db);
      return rows[0]?.blocks ?? 0;
    };
    const before = await read();
    await work(db);
    return (await read()) - before;
  });
}

it('an archive that repeats a thousand copies is found for each of them, and its parts are not read each time', async () => {
  let bringers = new Map<string, readonly { isFirst: boolean }[]>();
  const blocks = await partsRead(async (db) => (bringers = await findBringers(db, orgId, copies)));
  expect(bringers.size).toBe(REPORTS);
  for (const of of bringers.values()) expect([of.length, of.filter(({ isFirst }) => isFirst).length]).toEqual([2, 1]);
  expect(blocks).toBeLessThan(REPORTS);
});

it('of a copy that came ten thousand times, a thousand repeats are looked at', async () => {
  const [often, once] = copies as [StoredCopy, StoredCopy];
  await repeat([often], 10_000);
  const found = await findBringers(database.db, orgId, [often, once]);
  expect([...found.values()].map(({ length }) => length)).toEqual([1_001, 2]);
});
