import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { descendingSlice } from './descending-slice.ts';
import { groupSlice } from './group-slice.ts';
import { all, isUnique, type Place, type Slice, type SortedList } from './sorted-list.ts';

/**
 * The ids of one slice of a list, in order. Ties are settled by id, ascending whatever the direction, and nulls come
 * last in both; every read is a range of the index `(key, id)`, walked from the nearer end of the list.
 */
export async function findSlice(db: Db, list: SortedList, slice: Slice, total: number): Promise<string[]> {
  const count = Math.min(slice.limit, total - slice.offset);
  if (count <= 0) return [];
  const nulls = list.key.nullable ? await countNulls(db, list) : 0;
  const filled = total - nulls;
  const inFilled = Math.max(0, Math.min(count, filled - slice.offset));
  const place = { before: slice.offset, count: inFilled, after: filled - slice.offset - inFilled };
  const head = inFilled > 0 ? await filledSlice(db, withKey(list), place, slice.direction) : [];
  if (inFilled === count) return head;
  const range = { limit: count - inFilled, offset: Math.max(0, slice.offset - filled), backwards: false };
  return [...head, ...(await groupSlice(db, list, sql`${list.key.expression} is null`, range))];
}

/** Ascending is the order of the index, and descending against it where no two keys are equal. */
async function filledSlice(db: Db, list: SortedList, place: Place, direction: Slice['direction']): Promise<string[]> {
  if (direction === 'asc') return await plainSlice(db, list, place, false);
  return isUnique(list) ? await plainSlice(db, list, place, true) : await descendingSlice(db, list, place);
}

async function plainSlice(db: Db, list: SortedList, { before, count, after }: Place, reversed: boolean): Promise<string[]> {
  const { table, where, key, id } = list;
  const fromFront = before <= after;
  const way = sql.raw(reversed === fromFront ? 'desc' : 'asc');
  const order = isUnique(list) ? sql`${id} ${way}` : sql`${key.expression} ${way}, ${id} ${way}`;
  const { rows } = await sql<{ id: string }>`
    select ${id} as id from ${table} where ${all(where)}
    order by ${order} limit ${count} offset ${fromFront ? before : after}`.execute(db);
  const ids = rows.map((row) => row.id);
  return fromFront ? ids : ids.reverse();
}

/** The rows that have a key at all, with the bounds that are known of it. */
function withKey(list: SortedList): SortedList {
  const { key, where } = list;
  const present = key.nullable ? [sql<boolean>`${key.expression} is not null`] : [];
  return { ...list, where: [...where, ...present, ...(key.bounds ?? [])] };
}

async function countNulls(db: Db, { table, where, key }: SortedList): Promise<number> {
  const { rows } = await sql<{ nulls: number }>`
    select count(*) as nulls from ${table} where ${all(where)} and ${key.expression} is null`.execute(db);
  return rows[0]?.nulls ?? 0;
}
