import { cloneDatabase, givenMany, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { findReports, findSources } from '@dmarc-ledger/queries';
import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

let database: ClonedDatabase;
let orgId: string;
const REPORTS = 2_000;
const STORED = 150;

beforeAll(async () => {
  database = await cloneDatabase();
  orgId = await givenMany(database.db, 'Paging', {
    reports: REPORTS,
    recordsEach: 2,
    domains: 4,
    reporters: 3,
    sources: 900,
  });
});
afterAll(() => database[Symbol.asyncDispose]());

/** The database, where something is stored between the first statement that is run and the next. */
function storing(store: () => Promise<unknown>): Db {
  let isStored = false;
  return database.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isStored) return result;
      isStored = true;
      await store();
      return result;
    },
  });
}

/** Further reports, received last, as one transaction of the intake commits them. */
async function storeReports(): Promise<void> {
  await sql`
    with copied as (
      select r.* from generate_series(1, ${STORED}::int) as n cross join lateral (
        select jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'received_at', now(),
          'identity', '\\x' || md5(p.id::text || now()::text || n))) as made
        from report p where org_id = ${orgId} order by id offset n limit 1) m, lateral (select (m.made).*) r
    ), counted as (
      update org_total set reports = reports + ${STORED} where org_id = ${orgId}
    )
    insert into report select * from copied`.execute(database.db);
}

async function storeSources(): Promise<void> {
  await sql`
    with added as (
      insert into source_total (org_id, source_ip, domains, reports, messages, compliant, spf_pass, dkim_pass,
        auth_failures, compliance, first_seen, last_seen)
      select org_id, source_ip + 1000000, domains, reports, messages, compliant, spf_pass, dkim_pass, auth_failures,
        compliance, first_seen, last_seen
      from source_total where org_id = ${orgId} and source_ip < '11.0.0.0' order by source_ip limit ${STORED}
      returning 1
    )
    update org_total set sources = sources + (select count(*) from added) where org_id = ${orgId}`.execute(database.db);
}

it('reports that are stored while a page is read move no row from it', async () => {
  const page = { sortBy: 'received', direction: 'asc', limit: 50, offset: 1_500 } as const;
  const before = await findReports(database.db, orgId, {}, page);
  const during = await findReports(storing(storeReports), orgId, {}, page);
  const after = await findReports(database.db, orgId, {}, page);
  expect(during).toEqual(before);
  expect(after).toEqual({ rows: before.rows, total: before.total + STORED });
});

it('addresses that are stored while a page is read move no row from it', async () => {
  const page = { sortBy: 'source_ip', direction: 'asc', limit: 20, offset: 400 } as const;
  const before = await findSources(database.db, orgId, { services: [] }, page);
  const during = await findSources(storing(storeSources), orgId, { services: [] }, page);
  const after = await findSources(database.db, orgId, { services: [] }, page);
  expect(during).toEqual(before);
  expect(after).toEqual({ rows: before.rows, total: before.total + STORED });
});
