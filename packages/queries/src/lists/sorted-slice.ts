import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { all, type Slice, type SortedList } from './sorted-list.ts';

/**
 * Collects all matching rows and then sorts them: the plan must not walk a whole index to find a few. (rules,
 * api/sorting)
 */
export async function sortedSlice(
  db: Db,
  { table, where, whereOfAll = where, key, id }: SortedList,
  { direction, limit, offset }: Slice,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with matching as materialized (select ${key.expression} as key, ${id} as id from ${table} where ${all(whereOfAll)})
    select id from matching order by key ${sql.raw(direction)} nulls last, id limit ${limit} offset ${offset}`.execute(
    db,
  );
  return rows.map((row) => row.id);
}
