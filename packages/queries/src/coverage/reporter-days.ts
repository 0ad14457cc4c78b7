import type { ReporterDay, ReporterFacts } from '@dmarc-ledger/scoring';
import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { type RawBuilder, sql } from 'kysely';
import { coverageWarnings, droppedRecords } from './dropped-records.ts';

/** Days of one or several domains, or of all together. */
export interface ReporterDaysQuestion {
  orgId: string;
  /** Undefined: each domain of the organization, and all of them as one. */
  domainIds: readonly string[] | undefined;
  /** The first day of the history, day number 0. */
  history: Day;
  /** The first and the last day of the window. */
  from: Day;
  to: Day;
}

/** The most reporters of a domain that are judged one by one: those with reports about most days. */
const MOST_REPORTERS = 1_000;

/** The key of all domains as one, beside those of the domains. */
export const ALL_DOMAINS = '00000000-0000-0000-0000-000000000000';

const SUMS = [
  'reports',
  'messages',
  'passed',
  'unauthenticated_reports',
  'unauthenticated',
  'conflicting',
  'doubtful',
  'doubtful_passed',
  'dropped',
];
/** An estimate. */
const FRACTION = 'dropped_messages';

/** In the order in which the statement returns them. */
type Line = [
  day: number,
  reports: number,
  messages: number,
  passed: number,
  unauthenticatedReports: number,
  unauthenticated: number,
  conflicting: number,
  doubtful: number,
  doubtfulPassed: number,
  dropped: number,
  droppedMessages: number,
];

/**
 * Returns the reporters of each domain with what they reported about each day. Reads reports and their warnings, no
 * records: reports are found by the end of their window, which never lies before their day. (rules,
 * coverage/expected-reporters; rules, coverage/dropped-records)
 */
export async function findReporterDays(db: Db, question: ReporterDaysQuestion): Promise<Map<string, ReporterFacts[]>> {
  const { orgId, domainIds, history, from } = question;
  if (domainIds?.length === 0) return new Map();
  const columns = sql.join([...SUMS, FRACTION].map((name) => sql.ref(`f.${name}`)));
  const { rows } = await sql<{ domain: string; name: string | null; lines: Line[] }>`
    with reports as materialized (${reportsOf(question)}),
    marked as (
      select r.id, bool_or(w.code = 'duplicate_report_id_conflict') as conflicting,
        coalesce(sum(${droppedRecords('w')}) filter (where w.code <> 'duplicate_report_id_conflict'), 0) as dropped
      from reports r join parse_warning w on w.org_id = ${orgId} and w.report_id = r.id
        and w.code in (${coverageWarnings})
      where r.day >= ${from}::date group by r.id
    ), own as (
      select r.domain, r.reporter_id, r.day, count(*) as reports, sum(r.messages)::bigint as messages,
        sum(r.compliant)::bigint as passed, count(*) filter (where r.doubted) as unauthenticated_reports,
        coalesce(sum(r.messages) filter (where r.doubted), 0)::bigint as unauthenticated,
        coalesce(sum(r.messages) filter (where m.conflicting), 0)::bigint as conflicting,
        coalesce(sum(r.messages) filter (where r.doubted or m.conflicting), 0)::bigint as doubtful,
        coalesce(sum(r.compliant) filter (where r.doubted or m.conflicting), 0)::bigint as doubtful_passed,
        coalesce(sum(m.dropped), 0)::bigint as dropped,
        coalesce(sum(m.dropped * case when r.records > 0 then r.messages::float8 / r.records else 1 end), 0)
          as dropped_messages
      from reports r left join marked m on m.id = r.id group by 1, 2, 3
    ), lines as (
      select * from own ${domainIds === undefined ? allAsOne : sql``}
    ), placed as (
      select domain, reporter_id, row_number() over (partition by domain
        order by count(*) filter (where reports > unauthenticated_reports) desc, sum(messages) desc, reporter_id
      ) as place
      from lines group by 1, 2
    ), folded as (
      select l.domain, case when p.place <= ${MOST_REPORTERS} then l.reporter_id end as reporter_id, l.day,
        ${sumsOf('l')}
      from lines l join placed p on p.domain = l.domain and p.reporter_id = l.reporter_id group by 1, 2, 3
    )
    select f.domain, n.name, json_agg(json_build_array(f.day - ${history}::date, ${columns})
      order by f.day) as lines
    from folded f left join reporter n on n.org_id = ${orgId} and n.id = f.reporter_id
    group by f.domain, f.reporter_id, n.name`.execute(db);
  const found = new Map<string, ReporterFacts[]>();
  for (const { domain, name, lines } of rows) {
    const reporters = found.get(domain) ?? [];
    reporters.push({ name, days: lines.map(readLine) });
    found.set(domain, reporters);
  }
  return found;
}

const allAsOne = sql`union all
      select ${ALL_DOMAINS}::uuid, reporter_id, day, ${sumsOf('own')} from own group by reporter_id, day`;

/** The sums of lines, in the order of their columns. */
function sumsOf(lines: string): RawBuilder<unknown> {
  const sumOf = (name: string) => sql`sum(${sql.ref(`${lines}.${name}`)})`;
  const wholes = SUMS.map((name) => sql`${sumOf(name)}::bigint as ${sql.ref(name)}`);
  return sql.join([...wholes, sql`${sumOf(FRACTION)} as ${sql.ref(FRACTION)}`]);
}

/** The reports of all days; those without an end are found apart, so that an index finds both. */
function reportsOf({ orgId, domainIds, history, to }: ReporterDaysQuestion): RawBuilder<unknown> {
  const ofDomains = domainIds === undefined ? sql`true` : sql`domain_id = any(${domainIds}::uuid[])`;
  const reports = sql`
    select id, domain_id as domain, reporter_id, day, messages, compliant, records, unauthenticated is true as doubted
    from report where org_id = ${orgId} and ${ofDomains} and day between ${history}::date and ${to}::date`;
  return sql`${reports} and date_end >= ${history}::timestamp at time zone 'utc'
    union all ${reports} and date_end is null`;
}

function readLine(line: Line): ReporterDay {
  const [day, reports, messages, passed, unauthenticatedReports, ...rest] = line;
  const [unauthenticated, conflicting, doubtful, doubtfulPassed, dropped, droppedMessages] = rest;
  return {
    day,
    reports,
    messages,
    passed,
    unauthenticatedReports,
    unauthenticated,
    conflicting,
    doubtful,
    doubtfulPassed,
    dropped,
    droppedMessages,
  };
}
