import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import type { Condition } from '../lists/sorted-list.ts';
import { contains, startsWith } from '../lists/text-match.ts';

/** One word of a search: which domains and reporters it names, and how it is looked for in report ids. */
export interface Term {
  text: string;
  domainIds: string[];
  reporterIds: string[];
  inReportIds: 'fuzzy' | 'substring' | 'prefix';
}

/** A word needs three letters to have a trigram, which is what the index of report ids holds. */
const TRIGRAM = 3;
/** Up to so many reports, looking into every report id is quick. */
const FEW_REPORTS = 50_000;

/**
 * The words of a search, each with the names it stands for: a part of the name, or one similar to it (by trigrams,
 * 0.3). A word of one or two letters is looked for inside report ids only while an organization's reports are few, else
 * at their beginning: no index knows such short words, and every report would have to be visited.
 * (rules, api/fuzzy-search)
 */
export async function resolveTerms(db: Db, orgId: string, search: string, reports: number): Promise<Term[]> {
  const words = search.split(/\s+/).filter((word) => word !== '');
  return await Promise.all(
    words.map(async (text): Promise<Term> => {
      const [domainIds, reporterIds] = await Promise.all([
        findNames(db, orgId, 'domain', text),
        findNames(db, orgId, 'reporter', text),
      ]);
      const short = reports > FEW_REPORTS ? 'prefix' : 'substring';
      return { text, domainIds, reporterIds, inReportIds: [...text].length >= TRIGRAM ? 'fuzzy' : short };
    }),
  );
}

export function matchesTerm(term: Term): Condition {
  return sql`(${nameMatches(term)} or ${reportIdMatches(term)})`;
}

/** Decided by the report's domain and reporter alone. */
export function nameMatches({ domainIds, reporterIds }: Term): Condition {
  return sql`(domain_id = any(${domainIds}::uuid[]) or reporter_id = any(${reporterIds}::uuid[]))`;
}

export function reportIdMatches({ text, inReportIds }: Term): Condition {
  switch (inReportIds) {
    case 'fuzzy':
      return sql`(report_id ilike ${contains(text)} or report_id % ${text})`;
    case 'substring':
      return sql`report_id ilike ${contains(text)}`;
    case 'prefix':
      return sql`lower(report_id) like ${startsWith(text.toLowerCase())}`;
  }
}

async function findNames(db: Db, orgId: string, table: 'domain' | 'reporter', text: string): Promise<string[]> {
  const found = db
    .selectFrom(table)
    .select('id')
    .where('org_id', '=', orgId)
    .where(sql<boolean>`(name ilike ${contains(text)} or name % ${text})`);
  return (await found.execute()).map(({ id }) => id);
}
