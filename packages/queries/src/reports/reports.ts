import type { Policy } from '@dmarc-ledger/dmarc';
import { type Db, inSnapshot } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { findDeepSlice } from '../lists/deep-slice.ts';
import { findSlice } from '../lists/find-slice.ts';
import { sliceWithFirst } from '../lists/rows-first.ts';
import { all, limitedTo, type Condition, type Page, type SortedList } from '../lists/sorted-list.ts';
import { reportBuckets } from './report-buckets.ts';
import { countReports } from './report-counts.ts';
import { reportList, type ReportSort } from './report-list.ts';
import { type ReportFilter, type ResolvedFilter, resolveReportFilter } from './report-filter.ts';

/** Returns one page of an organization's reports, and the number that match, as of one moment. */
export async function findReports(reads: Db, orgId: string, filter: ReportFilter, page: Page<ReportSort>) {
  return await inSnapshot(reads, async (db) => {
    const resolved = await resolveReportFilter(db, orgId, filter);
    if (!resolved) return { rows: [], total: 0 };
    const total = await countReports(db, orgId, resolved);
    const ids = await findIds(db, orgId, resolved, { ...page, total });
    return { rows: await loadReports(db, orgId, ids), total };
  });
}

export type ReportListRow = Awaited<ReturnType<typeof loadReports>>[number];

async function findIds(
  db: Db,
  orgId: string,
  filter: ResolvedFilter,
  { total, ...page }: Page<ReportSort> & { total: number },
): Promise<string[]> {
  const list = await reportList(db, orgId, filter, { ...page, total });
  const countBuckets = reportBuckets(db, orgId, filter, page.sortBy);
  if (countBuckets) return await findDeepSlice(db, list, page, { total, countBuckets });
  const exact = isDefaultOrder(page) ? await findExact(db, list, filter) : [];
  return await sliceWithFirst(exact, page, total, async (rest) => {
    const others = exact.length === 0 ? list : limitedTo(list, [isNoneOf(exact)]);
    return await findSlice(db, others, rest.slice, rest.total);
  });
}

function isNoneOf(ids: readonly string[]): Condition {
  return sql`not report.id = any(${ids}::uuid[])`;
}

function isDefaultOrder({ sortBy, direction }: Page<ReportSort>): boolean {
  return sortBy === 'date_end' && direction === 'desc';
}

/** Reports of one id come first up to this number: an id that many reports share finds none of them in particular. */
const EXACT = 200;

/** Returns the reports whose id is the text of the search, in any case, the newest first. (rules, api/fuzzy-search) */
async function findExact(db: Db, { table, where }: SortedList, { reportId }: ResolvedFilter): Promise<string[]> {
  if (reportId === undefined) return [];
  const { rows } = await sql<{ id: string }>`
    select report.id from ${table} where ${all(where)} and lower(report.report_id) = lower(${reportId} collate "C")
    order by report.date_end desc nulls last, report.id limit ${EXACT}`.execute(db);
  return rows.map((row) => row.id);
}

/** Returns the rows in the order of the ids. */
async function loadReports(db: Db, orgId: string, ids: string[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('report')
    .select([
      'id',
      'report_id',
      'reporter_name',
      'domain',
      'messages',
      'compliant',
      'policy_p',
      'date_begin',
      'date_end',
      'received_at',
      'day',
    ])
    .where('org_id', '=', orgId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .$narrowType<{ policy_p: Policy }>()
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((each) => byId.get(each) ?? []);
}
