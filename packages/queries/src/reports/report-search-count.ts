import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { all, type Condition } from '../lists/sorted-list.ts';
import { matchesTerm, nameMatches, reportIdMatches, type Term } from './report-search.ts';

/**
 * Counts the reports that a search finds: those that names alone decide are counted by reporter and domain; of the
 * others, only reports whose id contains one of the words are visited. With a result, only reports that have it.
 */
export async function countFound(
  db: Db,
  orgId: string,
  terms: Term[],
  result: 'pass' | 'fail' | undefined,
): Promise<number> {
  const byName = all(terms.map(nameMatches));
  const ofResult = result ? sql`and result = ${result}` : sql``;
  const [named, others] = await Promise.all([
    sql<{ reports: number }>`
      select coalesce(sum(reports), 0) as reports from report_count_reporter where org_id = ${orgId}
        and ${byName} ${ofResult}`.execute(db),
    sql<{ reports: number }>`
      select count(*) as reports from own_report as report
      where org_id = ${orgId} and (${anyOf(terms.map(reportIdMatches))})
        and ${all(terms.map(matchesTerm))} and not (${byName}) ${ofResult}`.execute(db),
  ]);
  return (named.rows[0]?.reports ?? 0) + (others.rows[0]?.reports ?? 0);
}

function anyOf(conditions: Condition[]): Condition {
  return sql`${sql.join(conditions, sql` or `)}`;
}
