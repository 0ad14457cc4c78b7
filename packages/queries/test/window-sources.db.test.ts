import { createOrganization } from '@dmarc-ledger/ledger';
import { countWindowSources } from '@dmarc-ledger/queries';
import { cloneDatabase, countEverything, givenReports, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { addDays } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const today = '2026-03-10';
const on = (day: string) => ({ begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` });

/** The rule to the letter. */
async function countPlainly(orgId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with newest as (select domain_id, max(day) as day from report where org_id = ${orgId} and day <= ${today}::date group by 1)
    select count(distinct r.source_ip) as count from report_record r join newest n using (domain_id)
    where r.org_id = ${orgId} and r.day > n.day - 30 and r.day <= n.day`.execute(database.db);
  return rows[0]!.count;
}

it.each([1, 2, 3, 4, 5])(
  'counts each address once that has a record in the window of its domain (%i)',
  async (seed) => {
    const { id: orgId } = await createOrganization(database.db, { name: `Org ${seed}` });
    let state = seed * 7_919;
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    const reports = Array.from({ length: 120 }, (_, i) => {
      const domain = i % 6;
      // domains fall silent at different times; some reports are of days to come
      const day =
        random(20) === 0 ? addDays(today, 1 + random(3)) : addDays(today, -(domain * domain * 9) - random(70));
      const records = Array.from({ length: 3 }, () => ({ ip: `192.0.2.${random(200)}`, count: random(3) }));
      return { ...on(day), domain: `d${domain}.example`, records };
    });
    await givenReports(database.db, orgId, reports);
    await countEverything(database.db, orgId);
    const expected = await countPlainly(orgId);
    expect(await countWindowSources(database.db, orgId, today)).toBe(expected);
    await database.db.updateTable('org_total').set({ sources_indexed: true }).where('org_id', '=', orgId).execute();
    expect(await countWindowSources(database.db, orgId, today)).toBe(expected);
  },
);

it('counts none before the first report', async () => {
  const { id: orgId } = await createOrganization(database.db, { name: 'Empty' });
  expect(await countWindowSources(database.db, orgId, today)).toBe(0);
});
