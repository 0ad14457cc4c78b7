import { isOwnSource } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { type RawBuilder, sql } from 'kysely';
import { firstIdAt } from '../intake/first-id.ts';
import { isOnly } from '../keys/by-key.ts';

/** The mail of a domain that events may rest on: all of it, without that of these reports. */
export interface JudgedMail {
  orgId: string;
  domainId: string;
  /**
   * The unauthenticated reports about the days that are judged, and about those that they are compared with; and those
   * that have just been stored and are not judged yet.
   */
  doubted: readonly string[];
}

/** Own sources are known by 90 days before the first of 30 days. */
const DAYS_BEFORE_NEWEST = 120;

/** A report waits for its judgement for so long, as far as events are concerned; beyond, something is wrong. */
const JUDGED_WITHIN_MS = 3_600_000;
/** The most waiting reports of an organization that are looked at, the newest first: a backlog may have any number. */
const WAITING_REPORTS = 2_000;
/** The most records of them that are read; those with most failing mail come first. */
const WAITING_RECORDS = 20_000;

/**
 * Returns the unauthenticated reports about the last months of a domain, and those stored within the hour that wait for
 * their judgement, whose classes are not final: no event rests on them. There are none for most domains, which an index
 * over unauthenticated reports alone shows. (rules, events/reports-that-may-be-forged)
 */
export async function findDoubtedReports(db: Db, orgId: string, domainId: string, today: Day): Promise<string[]> {
  const stored = firstIdAt(new Date(Date.now() - JUDGED_WITHIN_MS));
  const { rows } = await sql<{ id: string }>`
    select r.id from report r
    where r.org_id = ${orgId} and r.domain_id = ${domainId} and r.unauthenticated and r.day <= ${today}::date
      and r.day > (
        select max(day) from domain_day where org_id = ${orgId} and domain_id = ${domainId}
          and day <= ${today}::date and reports > 0
      ) - ${DAYS_BEFORE_NEWEST}::integer
    union
    select id from (
      select r.id, sum(r.records) over (order by r.messages - r.compliant desc, r.id) as records
      from (
        select report_id from unjudged_report where org_id = ${orgId} and report_id > ${stored}::uuid
        order by report_id desc limit ${WAITING_REPORTS}) u cross join lateral (
        select id, domain_id, records, messages, compliant from report
        where org_id = ${orgId} and ${sql.raw(isOnly('id', 'u.report_id'))} order by id limit 1) r
      where r.domain_id = ${domainId}) waiting
    where records <= ${WAITING_RECORDS}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * The sums over the records of doubted reports by source and day, to take from those over all: a CTE named `doubted`,
 * empty where there are none.
 */
export function doubtedBySource({ orgId, doubted }: JudgedMail): RawBuilder<unknown> {
  return sql`doubted as materialized (
    select r.source_ip, r.day, sum(r.messages) as messages,
      coalesce(sum(r.messages) filter (where r.dkim_pass or r.spf_pass), 0) as compliant,
      coalesce(sum(r.messages) filter (where r.spf_pass), 0) as spf_pass,
      coalesce(sum(r.messages) filter (where r.dkim_pass), 0) as dkim_pass,
      coalesce(sum(r.messages) filter (where r.class = 'likely_forwarded'), 0) as forwarded,
      coalesce(sum(r.messages) filter (where r.class = 'suspicious'), 0) as suspicious,
      coalesce(sum(r.messages) filter (where r.class = 'needs_review'), 0) as needs_review,
      coalesce(sum(r.messages) filter (where r.proved), 0) as proved
    from unnest(${doubted}::uuid[]) as k (id)
      cross join lateral (
        select * from stored_record where org_id = ${orgId} and report_id = k.id order by org_id, report_id,
          position offset 0) r
    group by r.source_ip, r.day)`;
}

/** Names that doubted reports mention. */
export interface DoubtedNames {
  /** As `signer/selector`. */
  selectors: ReadonlySet<string>;
  subdomains: ReadonlySet<string>;
}

export async function findDoubtedNames(db: Db, { orgId, doubted }: JudgedMail): Promise<DoubtedNames> {
  if (doubted.length === 0) return { selectors: new Set(), subdomains: new Set() };
  const { rows } = await sql<{ selectors: string[] | null; subdomains: string[] | null }>`
    with named as (
      select r.header_from, ${pairOf} as pair from report_record r
        left join lateral jsonb_array_elements(case jsonb_typeof(r.dkim_results) when 'array' then r.dkim_results
          end) as x on true
      where r.org_id = ${orgId} and r.report_id = any(${doubted}::uuid[]))
    select array_agg(distinct pair) as selectors, array_agg(distinct header_from) as subdomains from named`.execute(db);
  return { selectors: new Set(rows[0]?.selectors ?? []), subdomains: new Set(rows[0]?.subdomains ?? []) };
}

const pairOf = sql`(x ->> 'domain') || '/' || lower(btrim(coalesce(x ->> 'selector', '')))`;

/** What the other reports of the last week say of a name. */
export interface TrustedName {
  name: string;
  firstDay: Day;
  lastDay: Day;
  messages: number;
  /** Messages of the last day. */
  ofLastDay: number;
}

/** Returns the mail of the last 7 days that carries these keys (`signer/selector`): passing, or of an own source. */
export async function findTrustedSelectors(
  db: Db,
  mail: JudgedMail,
  pairs: readonly string[],
  today: Day,
): Promise<Map<string, TrustedName>> {
  const { orgId, domainId } = mail;
  const carried = sql`
    select distinct ${pairOf} as name, r.day, r.report_id, r.position, r.messages from ${trustedRecords(mail, today)}
      cross join lateral jsonb_array_elements(case jsonb_typeof(r.dkim_results) when 'array' then r.dkim_results end)
        with ordinality as d (x, place)
    where ${pairOf} = any(${pairs}::text[]) and r.dkim_aligned[place] and (x ->> 'result' = 'pass'
      or ${isOwnSource(orgId, domainId, sql`r.source_ip`, today)})`;
  return await summed(db, carried, pairs);
}

/** Returns the mail of the last 7 days from these names. */
export async function findTrustedSubdomains(
  db: Db,
  mail: JudgedMail,
  names: readonly string[],
  today: Day,
): Promise<Map<string, TrustedName>> {
  const sent = sql`
    select r.header_from as name, r.day, r.messages from ${trustedRecords(mail, today)}
    where r.header_from = any(${names}::text[])`;
  return await summed(db, sent, names);
}

function trustedRecords({ orgId, domainId }: JudgedMail, today: Day) {
  return sql`report p join report_record r on r.org_id = ${orgId} and r.report_id = p.id and p.org_id = ${orgId}
        and p.domain_id = ${domainId} and p.date_end >= ${addDays(today, -7)}::date and p.unauthenticated is not true
        and p.day > ${addDays(today, -7)}::date and p.day <= ${today}::date`;
}

async function summed(db: Db, lines: RawBuilder<unknown>, names: readonly string[]): Promise<Map<string, TrustedName>> {
  if (names.length === 0) return new Map();
  const { rows } = await sql<TrustedName>`
    with lines as (${lines}), days as (select name, day, sum(messages) as messages from lines group by name, day)
    select name, min(day)::text as "firstDay", max(day)::text as "lastDay", sum(messages)::bigint as messages,
      (array_agg(messages order by day desc))[1]::bigint as "ofLastDay"
    from days group by name`.execute(db);
  return new Map(rows.map((row) => [row.name, row]));
}
