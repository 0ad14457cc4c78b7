import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** When an address was first seen for a domain. */
export interface FirstSeen {
  /** Begin of the first report that mentions it; null if it has none. */
  first_seen: Date | null;
  /** The day of that report. */
  first_day: Day;
  /** Begin of the first report of passing mail; null without any. */
  first_passed: Date | null;
}

export interface OfDomain {
  orgId: string;
  domainId: string;
}

/** The oldest records of an address that are looked at; behind so many of forged reports, it counts as new. */
const OLDEST = 200;

/**
 * Returns when addresses were first seen by reports that are not unauthenticated: one that is dated long ago would make
 * a new source an old one. (rules, events/reports-that-may-be-forged)
 */
export async function findFirstSeen(
  db: Db,
  { orgId, domainId }: OfDomain,
  addresses: readonly string[],
): Promise<Map<string, FirstSeen>> {
  if (addresses.length === 0) return new Map();
  const { rows } = await sql<FirstSeen & { ip: string }>`
    select host(a.ip) as ip, case when f.first_day is null then ledger_now() else f.first_seen end as first_seen,
      coalesce(f.first_day, (ledger_now() at time zone 'utc')::date)::text as first_day, f.first_passed
    from unnest(${addresses}::inet[]) as a (ip) cross join lateral (
      select min(r.day) as first_day, min(p.date_begin) as first_seen,
        min(p.date_begin) filter (where r.dkim_pass or r.spf_pass) as first_passed
      from (
        select day, report_id, dkim_pass, spf_pass from stored_record
        where org_id = ${orgId} and source_ip = a.ip and domain_id = ${domainId} order by day limit ${OLDEST}) r
        join report p on p.org_id = ${orgId} and p.id = r.report_id
      where p.unauthenticated is not true) f`.execute(db);
  return new Map(rows.map(({ ip, ...seen }) => [ip, seen]));
}
