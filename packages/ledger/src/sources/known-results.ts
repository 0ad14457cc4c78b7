import type { Db } from '@dmarc-ledger/schema';
import type { KnownResult } from '@dmarc-ledger/sources';
import { sql } from 'kysely';

/** Returns the stored results of lists, by address. */
export async function findKnownResults(db: Db, addresses: readonly string[]): Promise<Map<string, KnownResult[]>> {
  if (addresses.length === 0) return new Map();
  const rows = await db
    .selectFrom('blocklist_result')
    .select(['address', 'result', 'checked_at'])
    .where('address', '=', sql<string>`any(${addresses}::inet[])`)
    .execute();
  const known = new Map<string, KnownResult[]>();
  for (const { address, result, checked_at } of rows)
    known.set(address, [...(known.get(address) ?? []), { result, checkedAt: checked_at }]);
  return known;
}
