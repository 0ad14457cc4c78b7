import { cloneDatabase, type ClonedDatabase, givenMany } from '@dmarc-ledger/testkit';
import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { measureProof, sampleCopies } from '../src/index.ts';

const REPORTS = 3_000;

let database: ClonedDatabase;
let orgId: string;
beforeAll(async () => {
  database = await cloneDatabase();
  await organization('first');
  await sql`analyze`.execute(database.db);
  orgId = await organization('second');
});
afterAll(() => database[Symbol.asyncDispose]());

/** An organization with reports, each from a delivery of its own. */
async function organization(name: string): Promise<string> {
  const { db } = database;
  const many = { reports: REPORTS, recordsEach: 1, domains: 3, reporters: 3, sources: 10 };
  const id = await givenMany(db, name, many);
  const hash = sql.raw('sha256(id::text::bytea)');
  await sql`update report set payload_sha256 = ${hash}, messages = 1 where org_id = ${id}`.execute(db);
  await sql`
    insert into raw_message (org_id, id, sha256, size, source, received_at, state, parts)
    select org_id, id, ${hash}, 1, 'file', received_at, 'stored', jsonb_build_array(repeat(md5(id::text), 12))
    from report where org_id = ${id}`.execute(db);
  await sql`
    insert into report_revision (org_id, report_id, payload_sha256, message_id, document, received_at, settled)
    select org_id, id, payload_sha256, id, '', received_at, true from report where org_id = ${id}`.execute(db);
  return id;
}

/** The rows of these tables that the work reads. */
async function readBy(work: (db: Db) => Promise<unknown>): Promise<number> {
  return await database.db.connection().execute(async (db) => {
    const read = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db);
      await sql`select pg_stat_clear_snapshot()`.execute(db);
      const { rows } = await sql<{ read: number }>`
        select sum(seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_user_tables
        where relname in ('report', 'report_revision', 'raw_message')`.execute(db);
      return rows[0]?.read ?? 0;
    };
    const before = await read();
    await work(db);
    return (await read()) - before;
  });
}

it.each<[string, (db: Db) => Promise<unknown>]>([
  ['proof', (db) => measureProof(db, orgId)],
  ['sample', (db) => sampleCopies(db, orgId, 100)],
])(
  'the %s of an organization that is newer than the statistics reads each of its rows a few times',
  async (_, work) => {
    expect(await measureProof(database.db, orgId)).toEqual({ proven: REPORTS, bytesDeleted: 0, imported: 0 });
    expect(await readBy(work)).toBeLessThan(10 * REPORTS);
  },
);
