import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { findOrgTotal } from '../domains/totals.ts';
import { countAll } from '../lists/all-rows.ts';
import { conditionsOfAll } from './report-conditions.ts';
import type { ReportDays, ResolvedFilter } from './report-filter.ts';
import { countFound } from './report-search-count.ts';

/** Counts the matching reports: from stored counts where one answers the filter, else by counting rows. */
export async function countReports(db: Db, orgId: string, filter: ResolvedFilter): Promise<number> {
  const { domainIds, reporterIds, result, from, to, counted, source, terms } = filter;
  const dated = from !== undefined || to !== undefined || counted !== undefined;
  const windowed = dated || result !== undefined;
  if (terms && !dated && !source && !domainIds && !reporterIds) return await countFound(db, orgId, terms, result);
  if (terms || (source && (windowed || reporterIds)) || (reporterIds && dated) || (counted && (result ?? from ?? to)))
    return await countAll(db, { table: sql`own_report as report`, ofAll: conditionsOfAll(orgId, filter) });
  if (source) return domainIds ? await countOfSource(db, orgId, source.ip, domainIds) : source.reports;
  if (reporterIds) return await countOfReporters(db, orgId, reporterIds, filter);
  if (counted) return await countByReportDay(db, orgId, counted, domainIds);
  if (windowed) return await countByDay(db, orgId, filter);
  if (domainIds) return await countOfDomains(db, orgId, domainIds);
  return (await findOrgTotal(db, orgId)).reports;
}

async function countByDay(db: Db, orgId: string, { domainIds, result, from, to }: ResolvedFilter): Promise<number> {
  let counts = db
    .selectFrom(domainIds ? 'report_count_day' : 'org_report_count_day')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('reports'), sql<number>`0`).as('reports'))
    .where('org_id', '=', orgId);
  if (domainIds) counts = counts.where(sql<boolean>`domain_id = any(${domainIds}::uuid[])`);
  if (result) counts = counts.where('result', '=', result);
  if (from) counts = counts.where('begin_day', '>=', from).where('end_day', '>=', from);
  if (to) counts = counts.where('end_day', '<=', to);
  return (await counts.executeTakeFirstOrThrow()).reports;
}

/** Counts the reports that count on some days. */
async function countByReportDay(
  db: Db,
  orgId: string,
  { from, to }: ReportDays,
  domainIds: string[] | undefined,
): Promise<number> {
  let counts = db
    .selectFrom(domainIds ? 'domain_day' : 'org_day')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('reports'), sql<number>`0`).as('reports'))
    .where('org_id', '=', orgId);
  if (domainIds) counts = counts.where(sql<boolean>`domain_id = any(${domainIds}::uuid[])`);
  if (from) counts = counts.where('day', '>=', from);
  if (to) counts = counts.where('day', '<=', to);
  return (await counts.executeTakeFirstOrThrow()).reports;
}

/** Counts the reports of some domains. */
export async function countOfDomains(db: Db, orgId: string, domainIds: readonly string[]): Promise<number> {
  const counts = db
    .selectFrom('domain_total')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('reports'), sql<number>`0`).as('reports'))
    .where('org_id', '=', orgId)
    .where(sql<boolean>`domain_id = any(${domainIds}::uuid[])`);
  return (await counts.executeTakeFirstOrThrow()).reports;
}

async function countOfReporters(
  db: Db,
  orgId: string,
  reporterIds: string[],
  { domainIds, result }: ResolvedFilter,
): Promise<number> {
  let counts = db
    .selectFrom('report_count_reporter')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('reports'), sql<number>`0`).as('reports'))
    .where('org_id', '=', orgId)
    .where(sql<boolean>`reporter_id = any(${reporterIds}::uuid[])`);
  if (result) counts = counts.where('result', '=', result);
  if (domainIds) counts = counts.where(sql<boolean>`domain_id = any(${domainIds}::uuid[])`);
  return (await counts.executeTakeFirstOrThrow()).reports;
}

async function countOfSource(db: Db, orgId: string, ip: string, domainIds: string[]): Promise<number> {
  const counts = db
    .selectFrom('source_domain')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('reports'), sql<number>`0`).as('reports'))
    .where('org_id', '=', orgId)
    .where('source_ip', '=', ip)
    .where(sql<boolean>`domain_id = any(${domainIds}::uuid[])`);
  return (await counts.executeTakeFirstOrThrow()).reports;
}
