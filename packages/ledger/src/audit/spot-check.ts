import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import type { Drift } from './audit.ts';

/** The extent of one spot check: two days of a domain's sums for a number of domains and of sending addresses. */
export interface SpotCheck {
  days: readonly string[];
  domains: number;
  addresses: number;
  /** The address to begin with, in address order. */
  from: string;
}

/**
 * Returns the organization with reports that follows the given one, in a ring; null if none has reports. One that is
 * being removed is passed over: its rows go in portions, records before their sums.
 */
export async function nextOrgToCheck(db: Db, after: string | null): Promise<string | null> {
  const counted = db
    .selectFrom('org_total')
    .innerJoin('organization', 'organization.id', 'org_total.org_id')
    .select('org_id')
    .where('removed_at', 'is', null)
    .orderBy('org_id')
    .limit(1);
  const next = after === null ? undefined : await counted.where('org_id', '>', after).executeTakeFirst();
  return (next ?? (await counted.executeTakeFirst()))?.org_id ?? null;
}

/**
 * Recomputes a few sums of an organization from their source data, in one statement and so on one snapshot: sums by
 * address and day from the records, sums by domain and day from those. Keys that wait for repair are left out. Returns
 * the number of keys that differ; must be 0.
 */
export async function findSpotDrift(db: Db, orgId: string, check: SpotCheck): Promise<Drift[]> {
  const { rows } = await sql<Drift>`
    with days as (select unnest(${check.days}::date[]) as day),
    addresses as (
      (select source_ip from source_address where org_id = ${orgId} and source_ip >= ${check.from}::inet
       order by source_ip limit ${check.addresses})
      union
      (select source_ip from source_address where org_id = ${orgId} order by source_ip limit ${check.addresses})
    ),
    domains as (select domain_id from domain_total where org_id = ${orgId}
      order by md5(domain_id::text || ${check.from}) limit ${check.domains}),
    address_expected as (
      select r.source_ip, r.day, r.domain_id, count(distinct r.report_id) as reports, sum(r.messages) as messages,
        coalesce(sum(r.messages) filter (where r.dkim_pass or r.spf_pass), 0) as compliant
      from addresses join stored_record r on r.org_id = ${orgId} and r.source_ip = addresses.source_ip
        and r.day in (select day from days)
      group by 1, 2, 3
    ),
    address_held as (
      select s.source_ip, s.day, s.domain_id, s.reports, s.messages, s.compliant
      from addresses join source_domain_day s on s.org_id = ${orgId} and s.source_ip = addresses.source_ip
        and s.day in (select day from days)
      where s.reports <> 0
    ),
    domain_expected as (
      select s.domain_id, s.day, sum(s.messages) as messages, sum(s.compliant) as compliant
      from domains join source_domain_day s on s.org_id = ${orgId} and s.domain_id = domains.domain_id
        and s.day in (select day from days)
      group by 1, 2
    ),
    domain_held as (
      select d.domain_id, d.day, d.messages, d.compliant
      from domains join domain_day d on d.org_id = ${orgId} and d.domain_id = domains.domain_id
        and d.day in (select day from days)
    ),
    address_differing as (
      select source_ip, day, domain_id from (
        (table address_expected except all table address_held)
          union all (table address_held except all table address_expected)) d
      where not exists (select from rollup_dirty w
        where w.org_id = ${orgId} and w.source_ip = d.source_ip and w.day = d.day and w.domain_id = d.domain_id)
    ),
    domain_differing as (
      select from domain_expected e full join domain_held h using (domain_id, day)
      where (coalesce(e.messages, 0), coalesce(e.compliant, 0)) <> (coalesce(h.messages, 0), coalesce(h.compliant, 0))
        and not exists (select from rollup_dirty w where w.org_id = ${orgId}
          and w.domain_id = coalesce(e.domain_id, h.domain_id) and w.day = coalesce(e.day, h.day))
    )
    select 'source_domain_day' as table, count(distinct (source_ip, day, domain_id)) as rows from address_differing
    union all
    select 'domain_day', count(*) from domain_differing`.execute(db);
  return rows.filter(({ rows: differing }) => differing > 0);
}
