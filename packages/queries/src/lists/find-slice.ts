import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { descendingSlice } from './descending-slice.ts';
import { groupSlice } from './group-slice.ts';
import { all, isUnique, type Place, type Slice, type SortedList } from './sorted-list.ts';
import { sortedSlice } from './sorted-slice.ts';
import { isFasterSorted } from './walk-or-sort.ts';

/**
 * Returns the ids of one slice of a list, in order. Ties are ordered by id, ascending in both directions, and nulls
 * come last in both. A long list is not sorted: its reads are ranges of the index `(key, id)`, walked from the nearer
 * end, unless its rows are so few among others that the walk would read more than the list has. (rules, api/sorting)
 */
export async function findSlice(db: Db, list: SortedList, slice: Slice, total: number): Promise<string[]> {
  const count = Math.min(slice.limit, total - slice.offset);
  if (count <= 0) return [];
  const place = { before: slice.offset, count, after: total - slice.offset - count };
  if (list.key.indexed === false || isFasterSorted(list, place, total)) return await sortedSlice(db, list, slice);
  const keyed = withKey(list);
  if (!list.key.nullable) return await keyedSlice(db, keyed, place, slice.direction);
  if (place.before <= place.after) {
    const head = await keyedSlice(db, keyed, place, slice.direction);
    if (head.length === count) return head; // the usual case: the nulls are far behind
  }
  return await sliceWithNulls(db, list, slice, total);
}

async function sliceWithNulls(
  db: Db,
  list: SortedList,
  { direction, limit, offset }: Slice,
  total: number,
): Promise<string[]> {
  const filled = total - (await countNulls(db, list));
  const count = Math.max(0, Math.min(limit, filled - offset));
  const place = { before: offset, count, after: filled - offset - count };
  const head = count > 0 ? await keyedSlice(db, withKey(list), place, direction) : [];
  const range = { limit: limit - count, offset: Math.max(0, offset - filled), backwards: false };
  const tail = range.limit > 0 ? await groupSlice(db, list, sql`${list.key.expression} is null`, range) : [];
  return [...head, ...tail];
}

/** Ascending slices follow the index; descending ones walk it backwards if no two keys are equal. */
async function keyedSlice(db: Db, list: SortedList, place: Place, direction: Slice['direction']): Promise<string[]> {
  if (direction === 'asc') return await plainSlice(db, list, place, false);
  return isUnique(list) ? await plainSlice(db, list, place, true) : await descendingSlice(db, list, place);
}

async function plainSlice(
  db: Db,
  list: SortedList,
  { before, count, after }: Place,
  reversed: boolean,
): Promise<string[]> {
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

/** The rows whose key is not null, with the known bounds of the key. */
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
