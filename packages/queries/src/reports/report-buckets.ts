import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { statedReporterName } from '../domains/name-match.ts';
import type { Bucket } from '../lists/deep-slice.ts';
import type { ResolvedFilter } from './report-filter.ts';

/** Returns the number of reports for each end day, domain or reporter, if stored counts can answer this filter. */
export function reportBuckets(
  db: Db,
  orgId: string,
  filter: ResolvedFilter,
  sortBy: string,
): (() => Promise<Bucket[]>) | undefined {
  const { domainIds, reporterIds, result, from, to, counted, source, terms } = filter;
  if (domainIds || reporterIds || source || terms || from || to || counted) return undefined;
  if (sortBy === 'date_end') return () => countByEndDay(db, orgId, result);
  if (result) return undefined;
  if (sortBy === 'domain') return () => countByDomain(db, orgId);
  return sortBy === 'org_name' ? () => countByReporter(db, orgId) : undefined;
}

async function countByEndDay(db: Db, orgId: string, result: ResolvedFilter['result']): Promise<Bucket[]> {
  const ofResult = result ? sql`and result = ${result}` : sql``;
  const { rows } = await sql<Bucket>`
    select end_day::text as "from", sum(reports) as rows from org_report_count_day
    where org_id = ${orgId} and end_day < 'infinity' ${ofResult}
    group by end_day having sum(reports) > 0 order by end_day`.execute(db);
  return rows;
}

async function countByDomain(db: Db, orgId: string): Promise<Bucket[]> {
  const { rows } = await sql<Bucket>`
    select domain.name as "from", total.reports as rows
    from domain_total as total join domain on domain.org_id = total.org_id and domain.id = total.domain_id
    where total.org_id = ${orgId} and total.reports > 0
    order by domain.name collate "C"`.execute(db);
  return rows;
}

/** Names, as reports state them, that differ only in case share one bucket. Reports without one are left out. */
async function countByReporter(db: Db, orgId: string): Promise<Bucket[]> {
  const { rows } = await sql<Bucket>`
    select lower(${statedReporterName} collate "C") as "from", sum(counts.reports) as rows
    from report_count_reporter as counts
    join reporter on reporter.org_id = counts.org_id and reporter.id = counts.reporter_id
    where counts.org_id = ${orgId} and reporter.name <> ''
    group by 1 having sum(counts.reports) > 0 order by 1`.execute(db);
  return rows;
}
