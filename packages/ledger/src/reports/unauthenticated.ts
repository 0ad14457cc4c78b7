import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** A day of a domain with counted reports of which no mail passed as the reporter. */
export interface UnauthenticatedDay {
  domain: string;
  day: Day;
  /** All counted messages of the day. */
  messages: number;
  /** Those of unauthenticated reports, and how many such reports. */
  unauthenticated: number;
  reports: number;
}

/**
 * Returns the days on which reports count that may be forged, newest first. The sum is exact: it is made of the reports
 * themselves, found by an index that has no others. (rules, copies/unauthenticated-reports)
 */
export async function findUnauthenticatedDays(
  db: Db,
  orgId: string,
  { domain, days }: { domain?: string | undefined; days: number },
): Promise<UnauthenticatedDay[]> {
  const { rows } = await sql<UnauthenticatedDay>`
    select n.name as domain, u.day::text as day, coalesce(d.messages, 0) as messages, u.messages as unauthenticated,
      u.reports
    from (
      select domain_id, day, sum(messages)::bigint as messages, count(*) as reports from report
      where org_id = ${orgId} and unauthenticated and day > (ledger_now() at time zone 'utc')::date - ${days}::integer
        and ${domain === undefined ? sql`true` : sql`domain_id = (select id from domain where org_id = ${orgId} and name = ${domain})`}
      group by domain_id, day) u
      join domain n on n.org_id = ${orgId} and n.id = u.domain_id
      left join domain_day d on d.org_id = ${orgId} and d.domain_id = u.domain_id and d.day = u.day
    order by u.day desc, n.name`.execute(db);
  return rows;
}
