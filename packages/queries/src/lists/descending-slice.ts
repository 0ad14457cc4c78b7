import type { Db } from '@dmarc-ledger/schema';
import { type RawBuilder, sql } from 'kysely';
import { groupSlice } from './group-slice.ts';
import { all, type Condition, type Place, type SortedList } from './sorted-list.ts';

/**
 * Returns a slice with the greatest keys first, and equal keys in ascending order of their ids. Read backwards, the
 * index `(key, id)` has equal keys in descending order, and a key such as "100 %" may belong to half of all rows, so
 * sorting is too slow: the keys of the slice are read first, then the end of the group it starts in, the rows between,
 * and the beginning of the group it ends in.
 */
export async function descendingSlice(db: Db, list: SortedList, place: Place): Promise<string[]> {
  const keys = await readKeys(db, list, place);
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (first === last) return await withinGroup(db, list, first, place);
  return await acrossGroups(db, list, keys);
}

/** Reads the end of the first group, the rows between, and the beginning of the last group in one statement. */
async function acrossGroups(db: Db, list: SortedList, keys: string[]): Promise<string[]> {
  const { table, where, key, id } = list;
  const [first = '', last = ''] = [keys[0], keys.at(-1)];
  const inFirst = keys.lastIndexOf(first) + 1;
  const inLast = keys.length - keys.indexOf(last);
  const between: Condition = sql`${key.expression} < ${typed(list, first)} and ${key.expression} > ${typed(list, last)}`;
  const part = (condition: Condition, rest: RawBuilder<unknown>) =>
    sql`(select ${key.expression} as key, ${id} as id from ${table} where ${all([...where, condition])} ${rest})`;
  const { rows } = await sql<{ id: string }>`
    select id from (
      ${part(equals(list, first), sql`order by ${id} desc limit ${inFirst}`)}
      union all ${part(between, sql`limit ${keys.length - inFirst - inLast}`)}
      union all ${part(equals(list, last), sql`order by ${id} limit ${inLast}`)}
    ) as part order by key desc, id`.execute(db);
  return rows.map((row) => row.id);
}

/** Reads only the keys, greatest first: walks the index from the nearer end without visiting rows. */
async function readKeys(db: Db, { table, where, key }: SortedList, { before, count, after }: Place): Promise<string[]> {
  const fromFront = before <= after;
  const { rows } = await sql<{ key: string }>`
    select (${key.expression})::text as key from ${table} where ${all(where)}
    order by ${key.expression} ${sql.raw(fromFront ? 'desc' : 'asc')} limit ${count} offset
      ${fromFront ? before : after}`.execute(db);
  const keys = rows.map((row) => row.key);
  return fromFront ? keys : keys.reverse();
}

/** The whole slice has one key, so its position within that group decides. */
async function withinGroup(db: Db, list: SortedList, key: string, { before, count, after }: Place): Promise<string[]> {
  const value = typed(list, key);
  if (before <= after) {
    const greater = before === 0 ? 0 : await countWhere(db, list, sql`${list.key.expression} > ${value}`);
    return await groupSlice(db, list, equals(list, key), { limit: count, offset: before - greater, backwards: false });
  }
  const smaller = after === 0 ? 0 : await countWhere(db, list, sql`${list.key.expression} < ${value}`);
  return await groupSlice(db, list, equals(list, key), { limit: count, offset: after - smaller, backwards: true });
}

async function countWhere(db: Db, { table, where }: SortedList, condition: Condition): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from ${table} where ${all([...where, condition])}`.execute(db);
  return rows[0]?.rows ?? 0;
}

/** Keys travel as text, so that instants and large numbers keep their precision. */
function typed({ key }: SortedList, text: string): RawBuilder<unknown> {
  return sql`${text}::${sql.raw(key.type)}`;
}

function equals(list: SortedList, text: string): Condition {
  return sql`${list.key.expression} = ${typed(list, text)}`;
}
