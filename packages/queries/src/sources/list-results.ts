import type { Db } from '@dmarc-ledger/schema';
import type { ListResult } from '@dmarc-ledger/sources';

/** Returns the answers of all lists in the last lookup, the best ranked first. */
export async function findListResults(db: Db, address: string): Promise<ListResult[]> {
  const rows = await db.selectFrom('blocklist_result').select('result').where('address', '=', address).execute();
  return rows.map(({ result }) => result).toSorted((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
}
