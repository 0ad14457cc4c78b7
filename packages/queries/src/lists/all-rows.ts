import type { Db } from '@dmarc-ledger/schema';
import { type RawBuilder, sql } from 'kysely';
import { all, type SortedList } from './sorted-list.ts';

type AllRows = Pick<SortedList, 'table' | 'ofAll'>;

/**
 * Selects columns of all rows, whatever their order. `offset 0` keeps the planner from walking the index of an order
 * around it, which it may prefer for a few rows of many.
 */
export function selectAll(columns: RawBuilder<unknown>, { table, ofAll: { where, parts = [[]] } }: AllRows) {
  const selects = parts.map((part) => sql`select ${columns} from ${table} where ${all([...where, ...part])}`);
  return sql`(${sql.join(selects, sql` union all `)} offset 0)`;
}

export async function countAll(db: Db, list: AllRows): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${selectAll(sql`true`, list)} as matching`.execute(db);
  return rows[0]!.total;
}
