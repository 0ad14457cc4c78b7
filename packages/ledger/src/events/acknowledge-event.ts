import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/**
 * Records that an event was acknowledged, and by whom; later calls change nothing. Returns false if there is no such
 * event. The statement looks the id up in the key of each organization instead of scanning the table.
 */
export async function acknowledgeEvent(db: Db, id: string, by: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('event')
    .set((eb) => ({
      acknowledged_at: eb.fn.coalesce('acknowledged_at', sql<Date>`now()`),
      acknowledged_by: eb.fn.coalesce('acknowledged_by', eb.val(by)),
    }))
    .where('org_id', '=', sql<string>`any(array(select id from organization))`)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
