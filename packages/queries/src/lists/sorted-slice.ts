import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { selectAll } from './all-rows.ts';
import type { Slice, SortedList } from './sorted-list.ts';

/** Collects all matching rows and then sorts them. (rules, api/sorting) */
export async function sortedSlice(db: Db, list: SortedList, { direction, limit, offset }: Slice): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${selectAll(sql`${list.key.expression} as key, ${list.id} as id`, list)} as matching
    order by key ${sql.raw(direction)} nulls last, id limit ${limit} offset ${offset}`.execute(db);
  return rows.map((row) => row.id);
}
