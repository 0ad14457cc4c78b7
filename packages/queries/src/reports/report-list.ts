import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { findOrgTotal } from '../domains/totals.ts';
import type { Page, SortedList, SortKey } from '../lists/sorted-list.ts';
import { boundsOf, conditionsOfAll, isOfDomains, reportConditions } from './report-conditions.ts';
import { countOfDomains } from './report-counts.ts';
import { daysOf, type ResolvedFilter } from './report-filter.ts';

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

type ReportPage = Page<ReportSort> & { total: number };

/**
 * Returns the list of the reports that a filter matches, in the order of a page. By domain, a filter of domains is one
 * of ranges of the index, and only their reports are passed.
 */
export async function reportList(db: Db, orgId: string, filter: ResolvedFilter, page: ReportPage): Promise<SortedList> {
  const { domainIds, ...others } = filter;
  const { sortBy } = page;
  const inRanges = sortBy === 'domain' ? domainIds : undefined;
  const named = inRanges ? [await isOfDomains(db, orgId, inRanges)] : [];
  const uncovered = reportConditions(orgId, inRanges ? others : filter);
  const filtered = uncovered.length > 1;
  const { from, to } = daysOf(filter);
  const isBounded = sortBy === 'date_end' && (from ?? to) !== undefined;
  const passed = () => (inRanges ? countOfDomains(db, orgId, inRanges) : findReportTotal(db, orgId));
  return {
    table: sql`own_report as report`,
    where: [...uncovered, ...named],
    ofAll: conditionsOfAll(orgId, filter),
    filtered,
    unfiltered: filtered && !isBounded ? await passed() : undefined,
    clustered: isBehindOthers(filter, page),
    covered: isCovered(filter, sortBy),
    key: { ...sortKeys[sortBy], bounds: boundsOf(sortBy, filter) },
    id,
  };
}

async function findReportTotal(db: Db, orgId: string): Promise<number> {
  return (await findOrgTotal(db, orgId)).reports;
}

/**
 * True if a walk from the nearer end passes the reports outside the days before it comes to those within: the older
 * ones where it begins with the oldest, else the newer ones. Reports with the same key ascend by their ids.
 */
function isBehindOthers(filter: ResolvedFilter, { sortBy, direction, limit, offset, total }: ReportPage): boolean {
  if (!ORDERS_OF_TIME.has(sortBy)) return false;
  const { from, to } = daysOf(filter);
  const isFromFront = offset <= total - offset - limit;
  const isOldestFirst = sortBy === 'received' ? (direction === 'asc') === isFromFront : isFromFront;
  return (isOldestFirst ? from : to) !== undefined;
}

/** True if the index of ends, or that of a domain's reports, has all columns that the conditions and the order name. */
function isCovered(filter: ResolvedFilter, sortBy: ReportSort): boolean {
  const { domainIds, source, terms } = filter;
  const { from, to } = daysOf(filter);
  if (source || terms || sortBy === 'report_id') return false;
  return domainIds ? sortBy !== 'domain' : from !== undefined || to !== undefined;
}
