import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { findDomainsLike, findReportersLike, statedReporterName } from '../domains/name-match.ts';
import type { Condition } from '../lists/sorted-list.ts';
import { contains, startsWith } from '../lists/text-match.ts';

/** One word of a search: the domains and reporters it matches, and how to find it in report ids. */
export interface Term {
  text: string;
  domainIds: string[];
  reporterIds: string[];
  inReportIds: 'fuzzy' | 'substring' | 'prefix';
}

/** The index of report ids consists of trigrams, so a word needs three letters. */
const TRIGRAM = 3;
/** Up to this number of reports, reading every report id is fast. */
const FEW_REPORTS = 50_000;

/**
 * Returns the words of a search, each with the names it matches: by a part of the name, or by similarity (trigrams,
 * 0.3). A word of one or two letters is searched inside report ids only while an organization has few reports, else at
 * their beginning: no index covers such short words, and every report would have to be read. (rules, api/fuzzy-search)
 */
export async function resolveTerms(db: Db, orgId: string, search: string, reports: number): Promise<Term[]> {
  return await Promise.all(
    wordsOf(search).map(async (text): Promise<Term> => {
      const [domains, similarDomains, reporters, similarReporters] = await Promise.all([
        findDomainsLike(db, orgId, text),
        findSimilar(db, orgId, 'domain', text),
        findReportersLike(db, orgId, text),
        findSimilar(db, orgId, 'reporter', text),
      ]);
      const domainIds = [...new Set([...domains, ...similarDomains])];
      const reporterIds = [...new Set([...reporters, ...similarReporters])];
      const short = reports > FEW_REPORTS ? 'prefix' : 'substring';
      return { text, domainIds, reporterIds, inReportIds: [...text].length >= TRIGRAM ? 'fuzzy' : short };
    }),
  );
}

/**
 * Each word once, as each costs several reads. All comparisons fold ASCII letters; whether they fold others depends on
 * the database's locale, so a word with these in another case is another word.
 */
function wordsOf(search: string): string[] {
  const words = search.split(/\s+/).filter((word) => word !== '');
  return [...new Set(words.map((word) => word.replace(/[A-Z]/g, (letter) => letter.toLowerCase())))];
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

async function findSimilar(db: Db, orgId: string, table: 'domain' | 'reporter', text: string): Promise<string[]> {
  const found = db
    .selectFrom(table)
    .select('id')
    .where('org_id', '=', orgId)
    .where(sql<boolean>`${table === 'reporter' ? statedReporterName : sql.ref('name')} % ${text}`);
  return (await found.execute()).map(({ id }) => id);
}
