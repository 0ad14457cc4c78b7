import type { CheckFact, DayFigures, DoubtfulMail, EffectivePolicy, SeenName } from '@dmarc-ledger/scoring';
import { effectivePolicy } from '@dmarc-ledger/scoring';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { findChecks, type StoredCheck } from '../domains/checks.ts';
import { findingsOf, publishedPolicy } from '../read/domain-facts.ts';
import { findReportedPolicy } from '../read/health-facts.ts';

const WINDOW_DAYS = 30;
const NAMES = { days: 7, limit: 1_000 };

/** The days with reports of a domain, of its newest window: what days are compared with, and scores made of. */
export async function findFigures(db: Db, orgId: string, domainId: string, today: Day): Promise<DayFigures[]> {
  const { rows } = await sql<DayFigures>`
    with newest as (
      select day from domain_day where org_id = ${orgId} and domain_id = ${domainId} and day <= ${today}::date and reports > 0
      order by day desc limit 1
    )
    select d.day::text as day, d.messages, d.compliant, d.forwarded, d.spf_pass as "spfPass", d.dkim_pass as "dkimPass"
    from newest join domain_day d on d.org_id = ${orgId} and d.domain_id = ${domainId}
      and d.day > newest.day - ${WINDOW_DAYS}::integer and d.day <= newest.day and d.reports > 0
    order by d.day`.execute(db);
  return rows;
}

/** Where the doubtful mail of some days came from. A network without a known system is one of 16 bits, or 32 in IPv6. */
export async function findDoubtfulMail(
  db: Db,
  orgId: string,
  domainId: string,
  days: readonly Day[],
): Promise<Map<Day, DoubtfulMail>> {
  if (days.length === 0) return new Map();
  const { rows } = await sql<DoubtfulMail & { day: Day }>`
    select s.day::text as day, sum(s.suspicious + s.needs_review)::bigint as messages, count(*) as addresses,
      count(distinct coalesce('AS' || e.asn,
        network(set_masklen(s.source_ip, case family(s.source_ip) when 4 then 16 else 32 end))::text)) as networks
    from source_domain_day s left join ip_enrichment e on e.address = s.source_ip
    where s.org_id = ${orgId} and s.domain_id = ${domainId} and s.day = any(${days}::date[])
      and s.suspicious + s.needs_review > 0
    group by s.day`.execute(db);
  return new Map(rows.map(({ day, ...mail }) => [day, mail]));
}

/** Whether every reporter of most of the fourteen days before has sent reports of these three days too. */
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

/** What its newest check found of a domain, and the policy that applies to it. */
export async function findRecords(
  db: Db,
  orgId: string,
  domainId: string,
  now: Date,
): Promise<{ checks: Map<string, CheckFact>; policy: EffectivePolicy | undefined }> {
  const checks = await findChecks(db, orgId, domainId);
  const reported = await findReportedPolicy(db, orgId, domainId);
  const facts = { findings: findingsOf(checks), reportedPolicy: reported && publishedPolicy(reported) };
  return {
    checks: new Map(checks.map((check) => [check.subject, checkFact(check)])),
    policy: effectivePolicy(facts, now),
  };
}

function checkFact({
  status,
  details,
  has_record,
  records,
  policy,
  facts,
  checked_at,
  changed_at,
}: StoredCheck): CheckFact {
  return {
    status,
    details,
    hasRecord: has_record,
    records,
    policy: policy && { ...policy, sp: policy.sp ?? undefined },
    facts,
    checkedAt: checked_at,
    changedAt: changed_at,
  };
}

/** Messages signed in the last 7 days, by `signer/selector`. Forgets what is too old to matter. */
export async function findSigned(db: Db, orgId: string, domainId: string, today: Day): Promise<Map<string, number>> {
  const { rows } = await sql<{ pair: string; messages: number }>`
    select signer || '/' || selector as pair, sum(messages)::bigint as messages from dkim_selector_day
    where org_id = ${orgId} and domain_id = ${domainId} and day > ${addDays(today, -7)}::date and day <= ${today}::date
    group by signer, selector order by 2 desc limit ${NAMES.limit}`.execute(db);
  await sql`delete from dkim_selector_day where org_id = ${orgId} and domain_id = ${domainId}
    and day < ${addDays(today, -30)}::date`.execute(db);
  return new Map(rows.map(({ pair, messages }) => [pair, messages]));
}

/** Names below a domain, and keys, that were first seen of late. */
export async function findNewNames(
  db: Db,
  orgId: string,
  domainId: string,
  today: Day,
): Promise<{ subdomains: SeenName[]; selectors: SeenName[] }> {
  const since = addDays(today, -NAMES.days);
  const { rows: subdomains } = await sql<SeenName>`
    select array[name] as parts, first_day::text as "firstDay", day::text as day, messages from sending_subdomain
    where org_id = ${orgId} and domain_id = ${domainId} and first_day > ${since}::date
    order by messages desc limit ${NAMES.limit}`.execute(db);
  const { rows: selectors } = await sql<SeenName>`
    select array[signer, selector] as parts, first_day::text as "firstDay", last_day::text as day, messages from dkim_selector
    where org_id = ${orgId} and domain_id = ${domainId} and first_day > ${since}::date
    order by messages desc limit ${NAMES.limit}`.execute(db);
  return { subdomains, selectors };
}

/** Who sent the first report about a domain; undefined while there is none, empty when it names nobody. */
export async function findFirstReporter(db: Db, orgId: string, domainId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('report')
    .select('reporter_name')
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .orderBy('received_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row && (row.reporter_name ?? '');
}

/** The conditions of a domain that hold, by their keys. */
export async function findOpenConditions(
  db: Db,
  orgId: string,
  domain: string,
): Promise<Map<string, { eventId: string; raisedAt: Date }>> {
  const rows = await db
    .selectFrom('event_condition')
    .select(['key', 'event_id as eventId', 'raised_at as raisedAt'])
    .where('org_id', '=', orgId)
    .where('domain', '=', domain)
    .where('holds', '=', true)
    .execute();
  return new Map(rows.map(({ key, ...condition }) => [key, condition]));
}
