import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** Returns the newest report day up to today of each domain that has one, by name: the last day of its score. */
export async function findNewestDays(db: Db, orgId: string, today: Day): Promise<Map<string, Day>> {
  const { rows } = await sql<{ domain: string; day: Day }>`
    select d.name as domain, n.day::text as day
    from domain d cross join lateral (
      select day from domain_day x where x.org_id = d.org_id and x.domain_id = d.id and x.day <= ${today}::date
        and x.reports > 0 order by day desc limit 1) n
    where d.org_id = ${orgId}`.execute(db);
  return new Map(rows.map(({ domain, day }) => [domain, day]));
}
