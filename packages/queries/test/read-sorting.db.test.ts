import { cloneDatabase, givenMany, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findReports, findSources, type ReportSort, type SourceSort } from '@dmarc-ledger/queries';

let database: ClonedDatabase;
let orgId: string;
const REPORTS = 9_000;

beforeAll(async () => {
  database = await cloneDatabase();
  const many = { reports: REPORTS, recordsEach: 2, domains: 12, reporters: 9, sources: 4_000 };
  orgId = await givenMany(database.db, 'Sorting', many, leaveOut);
});
afterAll(() => database[Symbol.asyncDispose]());

/** Some reports have no end, no name of a reporter, or no id; the ids of the others are often equal. */
async function leaveOut(ofOrg: string): Promise<void> {
  const { db } = database;
  await sql`insert into reporter (org_id, id, name)
    select ${ofOrg}, gen_random_uuid(), case when n = 0 then '' else 'ghost' || n end
    from generate_series(0, ${Math.floor(REPORTS / 11)}::int) as n`.execute(db);
  await sql`update report set
      date_end = case when hash % 7 = 0 then null else date_end end,
      end_day = case when hash % 7 = 0 then 'infinity' else end_day end,
      reporter_name = case when hash % 11 = 0 then null else reporter_name end,
      reporter_id = case when hash % 11 = 0 then (select id from reporter where name = '') else reporter_id end,
      report_id = case when hash % 13 = 0 then null else left(report_id, 2) end
    from (select id as changed, abs(hashtext(id::text)::bigint) as hash from report) as hashed
    where id = changed`.execute(db);
}

const reportKeys: { [sort in ReportSort]: string } = {
  date_end: 'date_end',
  received: 'received_at',
  org_name: 'lower(reporter_name)',
  domain: 'domain',
  total_messages: 'messages',
  report_id: 'lower(report_id)',
  compliance: 'compliance',
};
const directions = ['asc', 'desc'] as const;
const offsets = [0, 1, 49, 2_500, 4_490, 6_200, 7_800, REPORTS - 130, REPORTS - 20, REPORTS];

/** All ids in the order that they should have, sorted by the database in the plain way. */
async function inOrder(table: string, key: string, direction: string, id: string, filter = 'true'): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select ${sql.raw(id)} as id from ${sql.raw(table)} where org_id = ${orgId} and ${sql.raw(filter)}
    order by ${sql.raw(key)} ${sql.raw(direction)} nulls last, ${sql.raw(id)}`.execute(database.db);
  return rows.map((row) => row.id);
}

describe.each(Object.entries(reportKeys))('reports by %s', (sortBy, key) => {
  it.each(directions)('%s: every page is a part of the one order, ties by id, nulls last', async (direction) => {
    const expected = await inOrder('report', key, direction, 'id');
    for (const offset of offsets) {
      const { rows, total } = await findReports(
        database.db,
        orgId,
        {},
        { sortBy: sortBy as ReportSort, direction, limit: 100, offset },
      );
      expect(total).toBe(REPORTS);
      expect(
        rows.map(({ id }) => id),
        `offset ${offset}`,
      ).toEqual(expected.slice(offset, offset + 100));
    }
  });
});

describe('filtered reports', () => {
  it.each([
    [{ domain: 'd0.' }, `domain = 'd0.example'`],
    [{ domain: 'd1' }, `domain like '%d1%'`],
    [{ domain: 'd1', result: 'fail' }, `domain like '%d1%' and result = 'fail'`],
    [{ result: 'fail' }, `result = 'fail'`],
    [{ reporter: 'reporter 0' }, `reporter_name = 'Reporter 0 Inc.'`],
    [{ from: '2025-03-01', to: '2025-10-01' }, `begin_day >= '2025-03-01' and end_day <= '2025-10-01'`],
    [{ from: '2025-06-01' }, `begin_day >= '2025-06-01'`],
    [{ sourceIp: '10.0.0.0' }, `id in (select report_id from report_record where source_ip = '10.0.0.0')`],
    [{ search: 'rep' }, `reporter_name is not null`],
    [{ search: 'ab' }, `report_id ilike '%ab%'`],
    [{ search: 'rep', result: 'fail' }, `reporter_name is not null and result = 'fail'`],
    [{ result: 'pass' }, `result = 'pass'`],
    [{ to: '2025-04-01', result: 'pass' }, `end_day <= '2025-04-01' and result = 'pass'`],
    [{ reporter: 'reporter 0', result: 'fail' }, `reporter_name = 'Reporter 0 Inc.' and result = 'fail'`],
    [
      { sourceIp: '10.0.0.0', from: '2025-06-01', domain: 'd0.' },
      `begin_day >= '2025-06-01' and domain = 'd0.example' and id in (select report_id from report_record where source_ip = '10.0.0.0')`,
    ],
  ] as const)('%j', async (filter, condition) => {
    for (const [sortBy, direction] of [
      ['date_end', 'desc'],
      ['date_end', 'asc'],
      ['compliance', 'desc'],
      ['compliance', 'asc'],
      ['received', 'desc'],
      ['org_name', 'desc'],
      ['domain', 'asc'],
      ['domain', 'desc'],
    ] as const) {
      const expected = await inOrder('report', reportKeys[sortBy], direction, 'id', condition);
      const fromEnd = [2_400, 10].map((rows) => Math.max(0, expected.length - rows));
      for (const offset of [0, 30, Math.floor(expected.length / 2), ...fromEnd]) {
        const { rows, total } = await findReports(database.db, orgId, filter, { sortBy, direction, limit: 25, offset });
        expect(total).toBe(expected.length);
        expect(rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + 25));
      }
    }
  });
});

describe('reports by the days that they count on', () => {
  const counted = { from: '2025-03-01', to: '2025-10-01' } as const;
  it.each([
    [{ counted }, `day between '2025-03-01' and '2025-10-01'`],
    [{ counted: { from: '2025-06-01' } }, `day >= '2025-06-01'`],
    [{ counted: { to: '2025-04-01' } }, `day <= '2025-04-01'`],
    [{ counted: { from: '2025-05-05', to: '2025-05-05' } }, `day = '2025-05-05'`],
    [{ counted: { from: '2019-01-01', to: '2019-12-31' } }, `false`],
    [{ counted, domain: 'd1' }, `day between '2025-03-01' and '2025-10-01' and domain like '%d1%'`],
    [{ counted, result: 'fail' }, `day between '2025-03-01' and '2025-10-01' and result = 'fail'`],
    [
      { counted, reporter: 'reporter 0' },
      `day between '2025-03-01' and '2025-10-01' and reporter_name = 'Reporter 0 Inc.'`,
    ],
    [
      { counted, sourceIp: '10.0.0.0' },
      `day between '2025-03-01' and '2025-10-01'
        and id in (select report_id from report_record where source_ip = '10.0.0.0')`,
    ],
    [{ counted, search: 'ab' }, `day between '2025-03-01' and '2025-10-01' and report_id ilike '%ab%'`],
  ] as const)('%j', async (filter, condition) => {
    for (const [sortBy, key] of Object.entries(reportKeys)) {
      for (const direction of directions) {
        const expected = await inOrder('report', key, direction, 'id', condition);
        for (const offset of [0, Math.floor(expected.length / 2), Math.max(0, expected.length - 10)]) {
          const page = { sortBy: sortBy as ReportSort, direction, limit: 25, offset };
          const { rows, total } = await findReports(database.db, orgId, filter, page);
          expect({ sortBy, direction, total }).toEqual({ sortBy, direction, total: expected.length });
          expect(rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + 25));
        }
      }
    }
  });
});

const sourceKeys: { [sort in SourceSort]: string } = {
  total_messages: 'messages',
  source_ip: 'source_ip',
  first_seen: 'first_seen',
  last_seen: 'last_seen',
  compliance: 'compliance',
  auth_failures: 'auth_failures',
  domains: 'domains',
};

/** The long lists first: to turn all sources into those of the other costs more than to read them. */
const listsOfSources = [
  { list: 'long', areIndexed: true },
  { list: 'short', areIndexed: false },
].flatMap((list) => Object.entries(sourceKeys).map(([sortBy, key]) => ({ ...list, sortBy, key })));

describe.each(listsOfSources)('sources by $sortBy', ({ sortBy, key, list, areIndexed }) => {
  it.each(directions)(
    `%s, in a ${list} list: every page is a part of the one order, ties by address, nulls last`,
    async (direction) => {
      await sql`update source_total set indexed = ${areIndexed} where indexed <> ${areIndexed}`.execute(database.db);
      await database.db.updateTable('org_total').set({ sources_indexed: areIndexed }).execute();
      const expected = await inOrder('source_total', key, direction, 'source_ip');
      for (const offset of [0, 777, 1_500, expected.length - 150, expected.length - 3]) {
        const { rows, total } = await findSources(
          database.db,
          orgId,
          {},
          { sortBy: sortBy as SourceSort, direction, limit: 100, offset },
        );
        expect(total).toBe(expected.length);
        expect(rows.map(({ source_ip }) => source_ip)).toEqual(expected.slice(offset, offset + 100));
      }
    },
  );
});

it.each([true, false])('sources of a domain, most messages first or last, in a long list: %s', async (areIndexed) => {
  await sql`update source_domain set indexed = ${areIndexed} where indexed <> ${areIndexed}`.execute(database.db);
  await database.db.updateTable('org_total').set({ sources_indexed: areIndexed }).execute();
  const ofDomain = `domain_id = (select id from domain where org_id = '${orgId}' and name = 'd0.example')`;
  for (const direction of directions) {
    const expected = await inOrder('source_domain', 'messages', direction, 'source_ip', ofDomain);
    for (const offset of [0, Math.floor(expected.length / 2), expected.length - 3]) {
      const page = { sortBy: 'total_messages', direction, limit: 100, offset } as const;
      const { rows, total } = await findSources(database.db, orgId, { domain: 'd0.example' }, page);
      expect(total).toBe(expected.length);
      expect(rows.map(({ source_ip }) => source_ip)).toEqual(expected.slice(offset, offset + 100));
    }
  }
});
