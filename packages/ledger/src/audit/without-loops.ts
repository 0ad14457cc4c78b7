import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/**
 * For a transaction that joins whole tables of an organization. Statistics that are older than the organization give it
 * one row, for which the planner compares each row with all others: 5,000 reports took a minute.
 * (docs/decisions/plans-without-statistics.md)
 */
export const WITHOUT_LOOPS = 'set local enable_nestloop = off';

/**
 * Reads whole tables of an organization in a transaction of its own; `transact` has the statements of writers planned
 * without their values.
 */
export async function readWithoutLoops<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  return await db.transaction().execute(async (trx) => {
    await sql.raw(WITHOUT_LOOPS).execute(trx);
    return await read(trx);
  });
}
