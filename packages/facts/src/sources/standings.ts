import type { Db, SourceStandingTable } from '@dmarc-ledger/schema';
import { type Selectable, sql } from 'kysely';

/** A standing as stored. */
export type SourceStanding = Selectable<SourceStandingTable>;

export async function findStandings(
  db: Db,
  orgId: string,
  addresses: readonly string[],
): Promise<Map<string, SourceStanding>> {
  const rows = await db
    .selectFrom('source_standing')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('source_ip', '=', sql<string>`any(${addresses}::inet[])`)
    .execute();
  return new Map(rows.map((row) => [row.source_ip, row]));
}
