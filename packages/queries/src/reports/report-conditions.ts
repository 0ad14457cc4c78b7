import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import type { Condition, ConditionsOfAll } from '../lists/sorted-list.ts';
import { daysOf, type ResolvedFilter } from './report-filter.ts';
import { matchesTerm } from './report-search.ts';

/** For a page: to test reports until it is full soon reads less than to collect more. */
const FEW_REPORTS = 5_000;

/** The same where all reports of the filter are read. */
const COLLECTED = 200_000;

/** Hundredths of a percent. */
const ALL_COMPLIANT = 10_000;

/** The conditions of a filter on rows of `report`, the tenant first: for a walk that tests one report after another. */
export function reportConditions(orgId: string, filter: ResolvedFilter): Condition[] {
  return [...conditionsUpTo(FEW_REPORTS, orgId, filter), ...endsAfter(filter)];
}

/**
 * The same conditions where all reports of the filter are read: unless these are of some domains or reporters alone,
 * the reports of a source are collected.
 */
export function conditionsOfAll(orgId: string, filter: ResolvedFilter): ConditionsOfAll {
  const { domainIds, reporterIds, source, terms, from, to, counted } = filter;
  const where = conditionsUpTo(domainIds || reporterIds ? FEW_REPORTS : COLLECTED, orgId, filter);
  if (!from || to || counted || source || terms) return { where: [...where, ...endsAfter(filter)] };
  return { where, parts: [[isAtOrAfter(from)], [sql`date_end is null`]] };
}

/** What begins or counts on a day does not end before it: a bound of the index. */
function endsAfter(filter: ResolvedFilter): Condition[] {
  const { from } = daysOf(filter);
  if (!from) return [];
  return [filter.to ? isAtOrAfter(from) : sql`(${isAtOrAfter(from)} or date_end is null)`];
}

function isAtOrAfter(day: Day): Condition {
  return sql`date_end >= ${day}::date`;
}

/** Up to so many, the reports of a source are collected; beyond it, each report is tested. */
function conditionsUpTo(most: number, orgId: string, filter: ResolvedFilter): Condition[] {
  const { domainIds, reporterIds, result, source, from, to, counted, terms = [] } = filter;
  const conditions: Condition[] = [sql`report.org_id = ${orgId}`];
  if (domainIds) conditions.push(isOneOf('domain_id', domainIds));
  if (reporterIds) conditions.push(isOneOf('reporter_id', reporterIds));
  if (result) conditions.push(sql`result = ${result}`);
  if (source)
    conditions.push(source.inWindow <= most ? isAmongReportsOf(orgId, filter, source.ip) : mentions(source.ip));
  if (from) conditions.push(sql`begin_day >= ${from}::date`);
  if (to) conditions.push(sql`end_day <= ${to}::date`, sql`date_end < ${to}::date + 1`);
  if (counted?.from) conditions.push(sql`report.day >= ${counted.from}::date`);
  if (counted?.to) conditions.push(sql`report.day <= ${counted.to}::date`);
  return [...conditions, ...terms.map(matchesTerm)];
}

/** Bounds of a sort's key that follow from the filter, and have the walk along its index begin and end there. */
export function boundsOf(sortBy: string, filter: ResolvedFilter): Condition[] {
  const { result } = filter;
  const { from } = daysOf(filter);
  // The days decide; but what begins or counts on a day does not end before it.
  if (sortBy === 'date_end' && from) return [isAtOrAfter(from)];
  // The rate of a report is 100 % exactly when all of its messages are compliant. (rules, verdict/rates)
  if (sortBy === 'compliance' && result)
    return [result === 'pass' ? sql`compliance = ${ALL_COMPLIANT}` : sql`compliance < ${ALL_COMPLIANT}`];
  return [];
}

function isOneOf(column: 'domain_id' | 'reporter_id', ids: string[]): Condition {
  const ref = sql.ref(`report.${column}`);
  return ids.length === 1 ? sql`${ref} = ${ids[0]}` : sql`${ref} = any(${ids}::uuid[])`;
}

/** The condition on domains by their names, which the order by domain has in its index. */
export async function isOfDomains(db: Db, orgId: string, ids: readonly string[]): Promise<Condition> {
  const named = db.selectFrom('domain').select('name').where('org_id', '=', orgId);
  const rows = await named.where(sql<boolean>`id = any(${ids}::uuid[])`).execute();
  const names = rows.map(({ name }) => name);
  return names.length === 1 ? sql`report.domain = ${names[0]}` : sql`report.domain = any(${names}::text[])`;
}

function isAmongReportsOf(orgId: string, filter: ResolvedFilter, ip: string): Condition {
  const { from, to } = daysOf(filter);
  const days = sql`${from ? sql`and day >= ${from}::date` : sql``} ${to ? sql`and day <= ${to}::date` : sql``}`;
  return sql`report.id = any(array(
    select distinct report_id from stored_record where org_id = ${orgId} and source_ip = ${ip}::inet ${days}))`;
}

/** `limit` keeps this a test of one report, which a sorted walk runs until its page is full. */
function mentions(ip: string): Condition {
  return sql`(select true from stored_record as record
    where record.org_id = report.org_id and record.source_ip = ${ip}::inet
      and record.day = report.day and record.report_id = report.id limit 1)`;
}
