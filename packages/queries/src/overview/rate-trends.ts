import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** The parts that a window of 30 days is seen in, and their days. */
const PARTS = 6;
const PART_DAYS = 5;

/**
 * Returns how much of the mail of each domain passed DMARC, in percent, in parts of five days of the window of its
 * score, oldest first, by its name. A part without mail is null.
 */
export async function findRateTrends(db: Db, orgId: string, today: Day): Promise<Map<string, (number | null)[]>> {
  const { rows } = await sql<{ domain: string; rates: { [part: string]: number } }>`
    select d.name as domain, p.rates
    from domain d cross join lateral (
      select day from domain_day x where x.org_id = d.org_id and x.domain_id = d.id and x.day <= ${today}::date
        and x.reports > 0 order by day desc limit 1
    ) n cross join lateral (
      select json_object_agg(part, round(100.0 * compliant / messages, 1)) as rates from (
        select ${PARTS - 1}::integer - (n.day - x.day) / ${PART_DAYS}::integer as part, sum(compliant) as compliant,
          sum(messages) as messages
        from domain_day x where x.org_id = d.org_id and x.domain_id = d.id and x.day <= n.day
          and x.day > n.day - ${PARTS * PART_DAYS}::integer
        group by 1 having sum(messages) > 0) s
    ) p
    where d.org_id = ${orgId} and p.rates is not null`.execute(db);
  return new Map(
    rows.map(({ domain, rates }) => [domain, Array.from({ length: PARTS }, (_, part) => rates[part] ?? null)]),
  );
}
