import type { Db } from '@dmarc-ledger/schema';

/** Returns the id of a domain that the organization monitors or has reports about. */
export async function findKnownDomain(db: Db, orgId: string, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('domain as d')
    .leftJoin('domain_total as t', (join) => join.onRef('t.org_id', '=', 'd.org_id').onRef('t.domain_id', '=', 'd.id'))
    .select(['d.id', 'd.monitored', 't.reports'])
    .where('d.org_id', '=', orgId)
    .where('d.name', '=', name)
    .executeTakeFirst();
  return row && (row.monitored || (row.reports ?? 0) > 0) ? row.id : undefined;
}
