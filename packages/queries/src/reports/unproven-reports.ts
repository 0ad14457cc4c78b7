import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** Counts the messages of a domain's days that rest on imports alone, by an index of such reports. */
export async function countUnprovenMessages(
  db: Db,
  orgId: string,
  domainId: string,
  { from, to }: { from: Day; to: Day },
): Promise<number> {
  const { rows } = await sql<{ messages: number }>`
    select coalesce(sum(messages), 0)::bigint as messages from report
    where org_id = ${orgId} and domain_id = ${domainId} and unproven and day between ${from}::date
      and ${to}::date`.execute(db);
  return rows[0]?.messages ?? 0;
}

/** Returns those of these reports that only imports brought. */
export async function findUnprovenReports(db: Db, orgId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('report')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .where('unproven', '=', true)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
