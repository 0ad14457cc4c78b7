import type { Db } from '@dmarc-ledger/schema';
import { type RawBuilder, sql } from 'kysely';
import { groupSlice } from './group-slice.ts';
import { all, type Condition, type Place, type SortedList } from './sorted-list.ts';

/**
 * A slice with the greatest keys first, yet equal keys in ascending order of their ids. The index `(key, id)` holds equal
 * keys the other way round when it is read backwards, and a key such as "100 %" may belong to half of all rows, so they
 * are not sorted: the keys of the slice are read first, then the end of the group it starts in, all that lies between,
 * and the beginning of the group it ends in.
 */
export async function descendingSlice(db: Db, list: SortedList, place: Place): Promise<string[]> {
  const keys = await readKeys(db, list, place);
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (first === last) return await withinGroup(db, list, first, place);
  return await acrossGroups(db, list, keys);
}

/** The end of the first group, all that lies between, and the beginning of the last one; as one statement. */
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

/** The keys alone, greatest first: the index is walked from the end that is nearer, and no row is visited. */
async function readKeys(db: Db, { table, where, key }: SortedList, { before, count, after }: Place): Promise<string[]> {
  const fromFront = before <= after;
  const { rows } = await sql<{ key: string }>`
    select (${key.expression})::text as key from ${table} where ${all(where)}
    order by ${key.expression} ${sql.raw(fromFront ? 'desc' : 'asc')} limit ${count} offset ${fromFront ? before : after}`.execute(
    db,
  );
  const keys = rows.map((row) => row.key);
  return fromFront ? keys : keys.reverse();
}

/** All of the slice has one key: its place among the rows of that key is what tells them apart. */
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

/** Keys travel as text, so that nothing of an instant or a large number is lost on the way. */
function typed({ key }: SortedList, text: string): RawBuilder<unknown> {
  return sql`${text}::${sql.raw(key.type)}`;
}

function equals(list: SortedList, text: string): Condition {
  return sql`${list.key.expression} = ${typed(list, text)}`;
}
