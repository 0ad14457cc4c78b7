import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { findDomainsLike, findReporterNamed, findReportersLike } from '../domains/name-match.ts';
import { findOrgTotal } from '../domains/totals.ts';
import { resolveTerms, type Term } from './report-search.ts';

/** The conditions for a list of reports; all that are given must hold. */
export interface ReportFilter {
  /** A part of the domain's name. */
  domain?: string;
  /** One domain alone; a part of a name is then not asked for. */
  domainId?: string;
  /** A part of the reporter's name, as its reports state it. */
  reporter?: string;
  /** The name that one reporter counts by; a part of names is then not asked for. (rules, coverage/known-receivers) */
  countedReporter?: string;
  result?: 'pass' | 'fail';
  /** Canonical address. */
  sourceIp?: string;
  from?: Day;
  to?: Day;
  /** The days that the reports count on. */
  counted?: ReportDays;
  search?: string;
}

/** Report days, both included; an absent one is no bound. (rules, verdict/report-day) */
export interface ReportDays {
  from?: Day | undefined;
  to?: Day | undefined;
}

/** A filter with names resolved to ids: a few domains and reporters instead of a text to find in a million rows. */
export interface ResolvedFilter extends Pick<ReportFilter, 'result' | 'from' | 'to' | 'counted'> {
  domainIds?: string[];
  reporterIds?: string[];
  /** With the number of its reports in total and within the given days. */
  source?: { ip: string; reports: number; inWindow: number };
  terms?: Term[];
  /** The text of the search as a whole, which may be the id of a report. */
  reportId?: string;
}

/** Returns undefined if nothing can match. */
export async function resolveReportFilter(
  db: Db,
  orgId: string,
  filter: ReportFilter,
): Promise<ResolvedFilter | undefined> {
  const { result, from, to, counted, sourceIp, search } = filter;
  const [domainIds, reporterIds, source, terms] = await Promise.all([
    findDomainIds(db, orgId, filter),
    findReporterIds(db, orgId, filter),
    sourceIp === undefined ? undefined : resolveSource(db, orgId, sourceIp, filter),
    search === undefined
      ? undefined
      : findOrgTotal(db, orgId).then((total) => resolveTerms(db, orgId, search, total.reports)),
  ]);
  if (domainIds?.length === 0 || reporterIds?.length === 0 || source?.inWindow === 0) return undefined;
  const sought = terms?.length ? { terms, reportId: search?.trim() } : {};
  return { result, from, to, counted, domainIds, reporterIds, source, ...sought };
}

async function findDomainIds(db: Db, orgId: string, { domain, domainId }: ReportFilter): Promise<string[] | undefined> {
  if (domainId !== undefined) return [domainId];
  return domain === undefined ? undefined : await findDomainsLike(db, orgId, domain);
}

async function findReporterIds(db: Db, orgId: string, { reporter, countedReporter }: ReportFilter) {
  if (countedReporter !== undefined) return await findReporterNamed(db, orgId, countedReporter);
  return reporter === undefined ? undefined : await findReportersLike(db, orgId, reporter);
}

async function resolveSource(db: Db, orgId: string, ip: string, filter: ReportFilter) {
  const { from, to } = daysOf(filter);
  const total = db.selectFrom('source_total').select('reports').where('org_id', '=', orgId).where('source_ip', '=', ip);
  const reports = (await total.executeTakeFirst())?.reports ?? 0;
  return {
    ip,
    reports,
    inWindow: reports > 0 && (from || to) ? await countWithin(db, orgId, ip, { from, to }) : reports,
  };
}

/**
 * The days that no report of a filter counts outside of: the day of a report lies within its window, and so between
 * the bounds of the filter.
 */
export function daysOf({ from, to, counted }: Pick<ReportFilter, 'from' | 'to' | 'counted'>): ReportDays {
  return counted ?? { from, to };
}

async function countWithin(db: Db, orgId: string, ip: string, { from, to }: ReportDays): Promise<number> {
  let counts = db
    .selectFrom('source_domain_day')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('reports'), eb.val(0)).as('reports'))
    .where('org_id', '=', orgId)
    .where('source_ip', '=', ip);
  if (from) counts = counts.where('day', '>=', from);
  if (to) counts = counts.where('day', '<=', to);
  return (await counts.executeTakeFirstOrThrow()).reports;
}
