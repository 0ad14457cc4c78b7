import { createOrganization, refreshEnforcementDays } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { cloneDatabase, givenReports } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

const DAY = '2026-03-03';

it('a day on which a process of the version before counts a report is computed again', async () => {
  await using database = await cloneDatabase();
  const { db } = database;
  const { id: orgId } = await createOrganization(db, { name: 'Harbor' });
  const report = { domain: 'a.example', begin: `${DAY}T00:00:00Z`, end: `${DAY}T23:59:59Z` };
  await givenReports(db, orgId, [{ ...report, records: [{ count: 60 }] }]);
  const { id: domainId } = await db.selectFrom('domain').select('id').executeTakeFirstOrThrow();
  const mail = { orgId, domainId, domain: 'a.example', from: DAY, to: DAY };
  const refresh = async () =>
    await transact(database, (session) => refreshEnforcementDays(session, mail, { days: 5, quietMinutes: 0 }));
  expect(await refresh()).toBe(1);
  expect(await refresh()).toBe(0);

  // as that version counts: it knows no revision
  await sql`insert into domain_day as t (org_id, domain_id, day, reports, messages, compliant, spf_pass, dkim_pass)
    values (${orgId}, ${domainId}, ${DAY}, 1, 7, 7, 7, 7)
    on conflict (org_id, domain_id, day) do update set reports = t.reports + excluded.reports,
      messages = t.messages + excluded.messages, compliant = t.compliant + excluded.compliant,
      spf_pass = t.spf_pass + excluded.spf_pass, dkim_pass = t.dkim_pass + excluded.dkim_pass`.execute(db);
  expect(await refresh()).toBe(1);

  // whether failing mail was forwarded changes nothing of it
  await sql`update domain_day set forwarded = 1`.execute(db);
  expect(await refresh()).toBe(0);
});

it('days get their first revision without being rewritten, so that the migration is quick', async () => {
  await using database = await cloneDatabase();
  // set where the rows that were there before the column have its value without holding it
  const { rows } = await sql<{ kept: boolean }>`
    select attmissingval is not null as kept from pg_attribute
    where attrelid = 'domain_day'::regclass and attname = 'revision'`.execute(database.db);
  expect(rows).toEqual([{ kept: true }]);
});
