import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/**
 * For a transaction that joins whole tables of an organization. Statistics that are older than the organization give it
 * one row, for which the planner compares each row with all others: 5,000 reports took a minute. A merge join of
 * PostgreSQL 15 does the same, because it may sort by the organization alone.
 * (docs/decisions/plans-without-statistics.md)
 */
export const WITHOUT_LOOPS = `
  select set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true)`;

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
