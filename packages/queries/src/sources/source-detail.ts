import { isOfDomain, sumColumns } from '@dmarc-ledger/facts';
import type { Policy } from '@dmarc-ledger/dmarc';
import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { findReports } from '../reports/reports.ts';
import type { SourceRow } from './source-row.ts';

export interface SourceDetail extends SourceRow {
  domains: string[];
  reports: number;
}

/**
 * Returns everything stored about one address, by its canonical text; undefined if no report mentions it. Given a
 * domain, its sums are of the mail as that domain, and undefined means that there is none; `domains` are always all.
 */
export async function findSource(
  db: Db,
  orgId: string,
  ip: string,
  domainId?: string,
): Promise<SourceDetail | undefined> {
  const [total, own, domains] = await Promise.all([
    db
      .selectFrom('source_total')
      .select([sql<string>`host(source_ip)`.as('source_ip'), 'source_text', 'reports', ...sumColumns])
      .where('org_id', '=', orgId)
      .where('source_ip', '=', ip)
      .executeTakeFirst(),
    domainId === undefined ? {} : findSourceOfDomain(db, orgId, ip, domainId),
    db
      .selectFrom('source_domain')
      .innerJoin('domain', (join) =>
        join.onRef('domain.org_id', '=', 'source_domain.org_id').onRef('domain.id', '=', 'source_domain.domain_id'),
      )
      .select('domain.name')
      .where('source_domain.org_id', '=', orgId)
      .where('source_domain.source_ip', '=', ip)
      .orderBy(sql`domain.name collate "C"`)
      .execute(),
  ]);
  return total && own && { ...total, ...own, domains: domains.map(({ name }) => name) };
}

async function findSourceOfDomain(db: Db, orgId: string, ip: string, domainId: string) {
  return await db
    .selectFrom('source_domain')
    .select(['reports', ...sumColumns])
    .where('org_id', '=', orgId)
    .where('source_ip', '=', ip)
    .where('domain_id', '=', domainId)
    .where('reports', '>', 0)
    .executeTakeFirst();
}

const DAYS_SHOWN = 365;

/** Returns the newest 365 days on which it was reported, as all domains or as one, oldest first. */
export async function findSourceDays(db: Db, orgId: string, ip: string, domainId?: string) {
  const days = await db
    .selectFrom('source_domain_day')
    .select(({ fn }) => [
      'day',
      fn.sum<number>('reports').as('reports'),
      fn.sum<number>('messages').as('messages'),
      fn.sum<number>('compliant').as('compliant'),
    ])
    .where('org_id', '=', orgId)
    .where('source_ip', '=', ip)
    .$if(domainId !== undefined, (query) => query.where(isOfDomain(sql`domain_id`, domainId!)))
    .groupBy('day')
    .orderBy('day', 'desc')
    .limit(DAYS_SHOWN)
    .execute();
  return days.reverse();
}

/** Rows that an answer about an address has. */
const REPORTS_SHOWN = 50;

/**
 * Returns the rows of the newest reports, or of a page of all, that mention the address, about all domains or about
 * one: one row a report, its records summed. (rules, api/rows-of-a-source)
 */
export async function findSourceReports(
  db: Db,
  orgId: string,
  { ip, domainId }: { ip: string; domainId?: string | undefined },
  page = { limit: REPORTS_SHOWN, offset: 0 },
) {
  const newest = { sortBy: 'date_end', direction: 'desc', ...page } as const;
  const { rows: reports } = await findReports(db, orgId, { sourceIp: ip, domainId }, newest);
  const records = await selectRecords(db, orgId, ip, reports);
  const byReport = Map.groupBy(records, (record) => record.report_id);
  return reports.flatMap((report) => {
    const own = byReport.get(report.id) ?? [];
    const [foremost] = own; // the record with most messages
    return foremost
      ? { report, foremost, messages: own.reduce((sum, { messages }) => sum + messages, 0), records: own }
      : [];
  });
}

/**
 * Reads the records of each report, most messages first; of equal ones a failing one first, then the strictest
 * disposition.
 */
async function selectRecords(db: Db, orgId: string, ip: string, reports: { id: string; day: Day }[]) {
  return await db
    .selectFrom('report_record')
    .select(['report_id', 'messages', 'disposition', 'dkim_pass', 'spf_pass', 'header_from', 'reasons', 'class'])
    .where('org_id', '=', orgId)
    .where('source_ip', '=', ip)
    .where(sql<boolean>`(day, report_id) in (
      select * from unnest(${reports.map(({ day }) => day)}::date[], ${reports.map(({ id }) => id)}::uuid[]))`)
    .orderBy('messages', 'desc')
    .orderBy(sql`dkim_pass or spf_pass`)
    .orderBy(sql`array_position(array['reject', 'quarantine', 'none'], disposition)`)
    .orderBy(sql`dkim_pass::integer + spf_pass::integer`)
    .orderBy('position')
    .$narrowType<{ disposition: Policy }>()
    .execute();
}
