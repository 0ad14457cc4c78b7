import type { Policy } from '@dmarc-ledger/dmarc';
import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { findDeepSlice } from '../lists/deep-slice.ts';
import { findSlice } from '../lists/find-slice.ts';
import { sliceWithFirst } from '../lists/rows-first.ts';
import { findOrgTotal } from '../domains/totals.ts';
import { all, limitedTo, type Condition, type Page, type SortedList, type SortKey } from '../lists/sorted-list.ts';
import { reportBuckets } from './report-buckets.ts';
import { boundsOf, conditionsOfAll, isOfDomains, reportConditions } from './report-conditions.ts';
import { countReports } from './report-counts.ts';
import { type ReportFilter, type ResolvedFilter, resolveReportFilter } from './report-filter.ts';

const id = sql.ref('report.id');

const sortKeys = {
  date_end: { expression: sql.ref('report.date_end'), type: 'timestamptz', nullable: true },
  received: { expression: sql.ref('report.received_at'), type: 'timestamptz', nullable: false },
  org_name: { expression: sql`lower(report.reporter_name)`, type: 'text', nullable: true },
  domain: { expression: sql.ref('report.domain'), type: 'text', nullable: false },
  total_messages: { expression: sql.ref('report.messages'), type: 'bigint', nullable: false },
  report_id: { expression: sql`lower(report.report_id)`, type: 'text', nullable: true },
  compliance: { expression: sql.ref('report.compliance'), type: 'integer', nullable: false },
} satisfies { [name: string]: SortKey };

export type ReportSort = keyof typeof sortKeys;

/** A report is received soon after its end; and of many reports with the same key, the ids are in the order of time. */
const ORDERS_OF_TIME: ReadonlySet<ReportSort> = new Set(['received', 'compliance', 'domain', 'org_name']);

/** Returns one page of an organization's reports, and the number that match. */
export async function findReports(db: Db, orgId: string, filter: ReportFilter, page: Page<ReportSort>) {
  const resolved = await resolveReportFilter(db, orgId, filter);
  if (!resolved) return { rows: [], total: 0 };
  const total = await countReports(db, orgId, resolved);
  const ids = await findIds(db, orgId, resolved, { ...page, total });
  return { rows: await loadReports(db, orgId, ids), total };
}

export type ReportListRow = Awaited<ReturnType<typeof loadReports>>[number];

async function findIds(
  db: Db,
  orgId: string,
  filter: ResolvedFilter,
  { total, ...page }: Page<ReportSort> & { total: number },
): Promise<string[]> {
  const list = await listOf(db, orgId, filter, page.sortBy);
  const countBuckets = reportBuckets(db, orgId, filter, page.sortBy);
  if (countBuckets) return await findDeepSlice(db, list, page, { total, countBuckets });
  const exact = isDefaultOrder(page) ? await findExact(db, list, filter) : [];
  return await sliceWithFirst(exact, page, total, async (rest) => {
    const others = exact.length === 0 ? list : limitedTo(list, [isNoneOf(exact)]);
    return await findSlice(db, others, rest.slice, rest.total);
  });
}

/** The list in the order of a column. By domain, a filter of domains is one of ranges of the index. */
async function listOf(db: Db, orgId: string, filter: ResolvedFilter, sortBy: ReportSort): Promise<SortedList> {
  const { domainIds, ...others } = filter;
  const named = sortBy === 'domain' && domainIds ? [await isOfDomains(db, orgId, domainIds)] : [];
  const uncovered = reportConditions(orgId, named.length > 0 ? others : filter);
  const isInWindow = (filter.from ?? filter.to) !== undefined;
  const filtered = uncovered.length > 1;
  return {
    table: sql`own_report as report`,
    where: [...uncovered, ...named],
    ofAll: conditionsOfAll(orgId, filter),
    filtered,
    unfiltered:
      filtered && !(isInWindow && sortBy === 'date_end') ? (await findOrgTotal(db, orgId)).reports : undefined,
    clustered: isInWindow && ORDERS_OF_TIME.has(sortBy),
    covered: isCovered(filter, sortBy),
    key: { ...sortKeys[sortBy], bounds: boundsOf(sortBy, filter) },
    id,
  };
}

/** True if the index of ends, or that of a domain's reports, has all columns that the conditions and the order name. */
function isCovered({ domainIds, source, terms, from, to }: ResolvedFilter, sortBy: ReportSort): boolean {
  const isIndexed = domainIds !== undefined || from !== undefined || to !== undefined;
  return isIndexed && !source && !terms && sortBy !== 'report_id';
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
    select report.id from ${table} where ${all(where)} and lower(report.report_id) = lower(${reportId})
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
