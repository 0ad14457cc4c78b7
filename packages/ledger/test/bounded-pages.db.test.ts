import { randomUUID } from 'node:crypto';
import type { Db, Tables } from '@dmarc-ledger/schema';
import { cloneDatabase, filledDatabase, givenReports, watchReads, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createOrganization,
  findMailGroups,
  judgedRecords,
  recordsOf,
  recordsOfSources,
  type RecordToJudge,
} from '../src/index.ts';

const ADDRESS = '203.0.113.5';
const RECORDS = 2_500;
const WAYS = ['all', 'failing', 'judged', 'source'] as const;
/** What a long record says: 300 kB with each of the records that share it. */
const LONG = Array.from({ length: 100 }, (_, i) => ({
  domain: 'example.com',
  selector: `s${i}`,
  result: i % 2 ? ('pass' as const) : ('fail' as const),
  humanResult: 'r'.repeat(3_000),
}));

let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** An organization with one report of failing records; of these, some say the same long detail. */
async function given({ isLong }: { isLong: (position: number) => boolean }) {
  const { db } = database;
  const { id: orgId } = await createOrganization(db, { name: randomUUID() });
  const records = Array.from({ length: RECORDS }, () => ({ dkim: false, spf: false, ip: ADDRESS }));
  const [reportId = ''] = await givenReports(db, orgId, [{ records }]);
  const positions = records.map((_, position) => position).filter(isLong);
  await sql`
    with detail as (
      insert into record_detail (org_id, id, disposition, header_from, dkim_results)
      values (${orgId}, ${orgId}, 'none', 'example.com', ${JSON.stringify(LONG)}::jsonb) returning id)
    update stored_record set detail_id = detail.id from detail
    where org_id = ${orgId} and position = any(${positions}::integer[])`.execute(db);
  const readings: { [Way in (typeof WAYS)[number]]: (db: Db) => AsyncIterable<RecordToJudge[]> } = {
    all: (on) => recordsOf(on, orgId, [reportId], 'all'),
    failing: (on) => recordsOf(on, orgId, [reportId], 'failing'),
    judged: (on) => judgedRecords(on, orgId),
    source: (on) => recordsOfSources(on, orgId, [ADDRESS]),
  };
  return { orgId, readings };
}

async function pagesOf(reading: AsyncIterable<RecordToJudge[]>): Promise<RecordToJudge[][]> {
  const pages: RecordToJudge[][] = [];
  for await (const page of reading) pages.push(page);
  return pages;
}

const lengths = (pages: readonly RecordToJudge[][]) => pages.map(({ length }) => length);
const everyPosition = Array.from({ length: RECORDS }, (_, position) => position);

describe('records that are judged', () => {
  it.each(WAYS)('are read 1,000 at a time, each time with one statement: %s', async (way) => {
    const { readings } = await given({ isLong: () => false });
    let statements = 0;
    const { pool } = database;
    const counted = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), log: () => void (statements += 1) });
    expect(lengths(await pagesOf(readings[way](counted)))).toEqual([1_000, 1_000, 500]);
    expect(statements).toBe(3);
  });

  it.each(WAYS)('come in pages of 8 MiB where they are long, and in longer ones behind those: %s', async (way) => {
    const { readings } = await given({ isLong: (position) => position >= 100 && position < 200 });
    const pages = await pagesOf(readings[way](database.db));
    expect(lengths(pages)).toEqual([128, 28, 28, 56, 112, 224, 448, 896, 580]);
    const records = pages.flat();
    expect(records.map(({ position }) => position)).toEqual(everyPosition);
    expect(records.filter(({ record }) => record.authResults.dkim?.length === 100)).toHaveLength(100);
  });

  it('are found by keys, however their pages are bounded', async () => {
    await using filled = await filledDatabase();
    const { db, orgId } = filled;
    const reports = await db.selectFrom('report').select('id').where('org_id', '=', orgId).limit(20).execute();
    const ids = reports.map(({ id }) => id);
    const { db: watched, readWhole } = watchReads(filled);
    const whole = await readWhole(async () => {
      await pagesOf(recordsOf(watched, orgId, ids, 'all'));
      await pagesOf(recordsOf(watched, orgId, ids, 'failing'));
      for await (const page of recordsOfSources(watched, orgId, ['10.0.0.0', '10.0.1.0'])) void page;
      await findMailGroups(watched, orgId, ['10.0.0.0', '10.0.1.0']);
    });
    expect(whole).toEqual([]);
  });
});
