import type { Db } from '@dmarc-ledger/schema';
import type { DayFigures, DoubtfulMail } from '@dmarc-ledger/scoring';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { doubtedBySource, type JudgedMail } from './doubted-reports.ts';

const WINDOW_DAYS = 30;

/** Returns the days with reports in a domain's newest window, which are compared with each other. */
export async function findFigures(db: Db, mail: JudgedMail, today: Day): Promise<DayFigures[]> {
  const days = await findAllFigures(db, mail, today);
  const doubted = new Map((await findDoubtedFigures(db, mail)).map((figures) => [figures.day, figures]));
  return days.map((figures) => without(figures, doubted.get(figures.day))).flatMap((left) => left ?? []);
}

type ReportDay = DayFigures & { reports: number };

async function findAllFigures(db: Db, { orgId, domainId }: JudgedMail, today: Day): Promise<ReportDay[]> {
  const { rows } = await sql<ReportDay>`
    with newest as (
      select day from domain_day where org_id = ${orgId} and domain_id = ${domainId} and day <= ${today}::date
        and reports > 0
      order by day desc limit 1
    )
    select d.day::text as day, d.reports, d.messages, d.compliant, d.proved, d.spf_pass as "spfPass",
      d.dkim_pass as "dkimPass"
    from newest join domain_day d on d.org_id = ${orgId} and d.domain_id = ${domainId}
      and d.day > newest.day - ${WINDOW_DAYS}::integer and d.day <= newest.day and d.reports > 0
    order by d.day`.execute(db);
  return rows;
}

async function findDoubtedFigures(db: Db, mail: JudgedMail): Promise<ReportDay[]> {
  if (mail.doubted.length === 0) return [];
  const { rows } = await sql<ReportDay>`
    with ${doubtedBySource(mail)}
    select r.day::text as day, r.reports, r.messages, r.compliant, coalesce(s.proved, 0)::bigint as proved,
      r.spf_pass as "spfPass", r.dkim_pass as "dkimPass"
    from (
      select day, count(*) as reports, sum(messages)::bigint as messages, sum(compliant)::bigint as compliant,
        sum(spf_pass)::bigint as spf_pass, sum(dkim_pass)::bigint as dkim_pass
      from report where org_id = ${mail.orgId} and id = any(${mail.doubted}::uuid[]) group by day) r
      left join (select day, sum(proved) as proved from doubted group by day) s using (day)`.execute(db);
  return rows;
}

/** The figures of a day without those of its doubted reports; undefined if it has no others. */
function without(
  { reports, ...all }: ReportDay,
  less: ReportDay = { ...all, reports: 0, messages: 0, compliant: 0, proved: 0, spfPass: 0, dkimPass: 0 },
): DayFigures | undefined {
  if (reports <= less.reports) return undefined;
  return {
    day: all.day,
    messages: all.messages - less.messages,
    compliant: all.compliant - less.compliant,
    proved: all.proved - less.proved,
    spfPass: all.spfPass - less.spfPass,
    dkimPass: all.dkimPass - less.dkimPass,
  };
}

/**
 * Returns the origin of the failing mail of some days, except for proved forwarding. A network without a known system
 * has 16 bits, or 32 in IPv6.
 */
export async function findDoubtfulMail(
  db: Db,
  mail: JudgedMail,
  days: readonly Day[],
): Promise<Map<Day, DoubtfulMail>> {
  if (days.length === 0) return new Map();
  const { orgId, domainId } = mail;
  const { rows } = await sql<DoubtfulMail & { day: Day }>`
    with ${doubtedBySource(mail)}
    select k.day::text as day, sum(s.messages)::bigint as messages, count(*) as addresses,
      count(distinct coalesce('AS' || e.asn,
        network(set_masklen(s.source_ip, case family(s.source_ip) when 4 then 16 else 32 end))::text)) as networks
    from unnest(${days}::date[]) as k (day)
      cross join lateral (
        select source_ip, suspicious + needs_review + forwarded - proved as messages from source_domain_day d
        where d.org_id = ${orgId} and d.domain_id = ${domainId} and d.day = k.day
          and suspicious + needs_review + forwarded - proved > 0
        order by org_id, domain_id, day, source_ip offset 0) a
      left join doubted x on x.source_ip = a.source_ip and x.day = k.day
      cross join lateral (
        select a.source_ip, a.messages - coalesce(x.suspicious + x.needs_review + x.forwarded - x.proved,
          0) as messages) s
      left join lateral (select asn from ip_enrichment where address = s.source_ip limit 1) e on true
    where s.messages > 0
    group by k.day`.execute(db);
  return new Map(rows.map(({ day, ...found }) => [day, found]));
}

/**
 * Of some days, returns those that every usual reporter has sent reports about, and about the two days before: every
 * reporter of most of the fourteen days before these three.
 */
export async function findReportedDays(
  db: Db,
  { orgId, domainId }: JudgedMail,
  days: readonly Day[],
): Promise<Set<Day>> {
  const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)];
  if (first === undefined || last === undefined) return new Set();
  const from = addDays(first, -16);
  const { rows } = await sql<{ day: Day }>`
    with sent as (
      select distinct reporter_id, day from report where org_id = ${orgId} and domain_id = ${domainId}
        and date_end >= ${from}::date and date_end < ${last}::date + 3
        and day between ${from}::date and ${last}::date and unauthenticated is not true
    )
    select k.day::text as day from unnest(${days}::date[]) as k (day)
      cross join lateral (
        select count(distinct day) as days from sent where sent.day between k.day - 16 and k.day - 3) base
    where not exists (
      select from sent s where s.day between k.day - 16 and k.day group by s.reporter_id
      having count(*) filter (where s.day > k.day - 3) < 3
        and 2 * count(*) filter (where s.day <= k.day - 3) > base.days)`.execute(db);
  return new Set(rows.map(({ day }) => day));
}
