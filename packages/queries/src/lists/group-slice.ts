import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { all, type Condition, type SortedList } from './sorted-list.ts';

/** Returns some rows of one key, ascending by id; counted from the end of the group if `backwards`. */
export async function groupSlice(
  db: Db,
  { table, where, id }: SortedList,
  group: Condition,
  { limit, offset, backwards }: { limit: number; offset: number; backwards: boolean },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select ${id} as id from ${table} where ${all([...where, group])}
    order by ${id} ${sql.raw(backwards ? 'desc' : 'asc')} limit ${limit} offset ${Math.max(0, offset)}`.execute(db);
  const ids = rows.map((row) => row.id);
  return backwards ? ids.reverse() : ids;
}
