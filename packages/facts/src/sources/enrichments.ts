import type { Db, IpEnrichmentTable } from '@dmarc-ledger/schema';
import { type Selectable, sql } from 'kysely';

export type Enrichment = Selectable<IpEnrichmentTable>;

export async function findEnrichments(db: Db, addresses: readonly string[]): Promise<Enrichment[]> {
  return await db
    .selectFrom('ip_enrichment')
    .selectAll()
    .where('address', '=', sql<string>`any(${addresses}::inet[])`)
    .execute();
}
