import type { BulkProvider } from '@dmarc-ledger/scoring';
import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** The day on which a provider has reported most messages. */
export interface BusiestDay {
  provider: BulkProvider;
  day: Day;
  messages: number;
}

/**
 * Returns the busiest day of each provider that reports under the name it is known by. Reports with the contact address
 * of another, and those whose mail did not pass as the reporter, are left out. (rules, bulk-sender-rules/providers)
 */
export async function findBusiestDays(
  db: Db,
  { orgId, domainId, from, to }: { orgId: string; domainId: string; from: Day; to: Day },
): Promise<BusiestDay[]> {
  const { rows } = await sql<BusiestDay>`
    with days as (
      select case when lower(n.name) = 'google.com' then 'google' when lower(n.name) like 'yahoo%' then 'yahoo'
          else 'microsoft' end as provider, r.day, sum(r.messages)::bigint as messages
      from reporter n join report r on r.org_id = ${orgId} and r.reporter_id = n.id and r.domain_id = ${domainId}
        and r.day between ${from}::date and ${to}::date and r.date_end >= ${from}::timestamp at time zone 'utc'
        and r.unauthenticated is not true
      where n.org_id = ${orgId} and n.stated_name is null
        and (lower(n.name) in ('google.com', 'outlook.com') or lower(n.name) like 'yahoo%')
      group by 1, 2
    )
    select distinct on (provider) provider, day::text as day, messages from days order by provider, messages desc,
      day desc`.execute(db);
  return rows;
}
