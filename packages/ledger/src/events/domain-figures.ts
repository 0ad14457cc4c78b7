import type { Db } from '@dmarc-ledger/schema';
import type { DayFigures, DoubtfulMail } from '@dmarc-ledger/scoring';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

const WINDOW_DAYS = 30;

/** Returns the days with reports in a domain's newest window, from which days are compared and scores computed. */
export async function findFigures(db: Db, orgId: string, domainId: string, today: Day): Promise<DayFigures[]> {
  const { rows } = await sql<DayFigures>`
    with newest as (
      select day from domain_day where org_id = ${orgId} and domain_id = ${domainId} and day <= ${today}::date and reports > 0
      order by day desc limit 1
    )
    select d.day::text as day, d.messages, d.compliant, d.proved, d.spf_pass as "spfPass", d.dkim_pass as "dkimPass"
    from newest join domain_day d on d.org_id = ${orgId} and d.domain_id = ${domainId}
      and d.day > newest.day - ${WINDOW_DAYS}::integer and d.day <= newest.day and d.reports > 0
    order by d.day`.execute(db);
  return rows;
}

/**
 * Returns the origin of the failing mail of some days, save for proved forwarding. A network without a known system
 * has 16 bits, or 32 in IPv6.
 */
export async function findDoubtfulMail(
  db: Db,
  orgId: string,
  domainId: string,
  days: readonly Day[],
): Promise<Map<Day, DoubtfulMail>> {
  if (days.length === 0) return new Map();
  const { rows } = await sql<DoubtfulMail & { day: Day }>`
    select k.day::text as day, sum(s.messages)::bigint as messages, count(*) as addresses,
      count(distinct coalesce('AS' || e.asn,
        network(set_masklen(s.source_ip, case family(s.source_ip) when 4 then 16 else 32 end))::text)) as networks
    from unnest(${days}::date[]) as k (day)
      cross join lateral (
        select source_ip, suspicious + needs_review + forwarded - proved as messages from source_domain_day d
        where d.org_id = ${orgId} and d.domain_id = ${domainId} and d.day = k.day
          and suspicious + needs_review + forwarded - proved > 0
        order by org_id, domain_id, day, source_ip offset 0) s
      left join lateral (select asn from ip_enrichment where address = s.source_ip limit 1) e on true
    group by k.day`.execute(db);
  return new Map(rows.map(({ day, ...mail }) => [day, mail]));
}

/** True if every reporter of most of the fourteen days before has also sent reports about these three days. */
export async function hasAllReporters(db: Db, orgId: string, domainId: string, last: Day): Promise<boolean> {
  const first = addDays(last, -2);
  const { rows } = await sql<{ missing: number }>`
    with sent as (
      select distinct reporter_id, day from report where org_id = ${orgId} and domain_id = ${domainId}
        and date_end >= ${addDays(first, -14)}::date and date_end < ${last}::date + 3
        and day between ${addDays(first, -14)}::date and ${last}::date
    ), base as (select count(distinct day) as days from sent where day < ${first}::date)
    select count(*) as missing from (
      select reporter_id from sent, base group by reporter_id, base.days
      having 2 * count(*) filter (where day < ${first}::date) > base.days
        and count(*) filter (where day >= ${first}::date) < 3) r`.execute(db);
  return rows[0]!.missing === 0;
}
