import { type RawBuilder, sql, type SqlBool } from 'kysely';

type SortDirection = 'asc' | 'desc';

/** The requested part of a sorted list. */
export interface Slice {
  direction: SortDirection;
  limit: number;
  offset: number;
}

export interface Page<Key extends string> extends Slice {
  sortBy: Key;
}

/** A slice as the numbers of rows before, in and after it. */
export interface Place {
  before: number;
  count: number;
  after: number;
}

/** A sort column. There is an index `(tenant columns, key, id)` unless `indexed` is false. */
export interface SortKey {
  expression: RawBuilder<unknown>;
  type: 'timestamptz' | 'text' | 'bigint' | 'integer' | 'inet';
  nullable: boolean;
  /** False: all matching rows are sorted, which is fast enough for thousands. */
  indexed?: false;
  /** Bounds of the key that follow from the conditions; they shorten the walk and exclude no row that has a key. */
  bounds?: readonly Condition[];
}

/** The rows of one table that meet a condition (the tenant first), their sort key and the tie-breaker. */
export interface SortedList {
  table: RawBuilder<unknown>;
  where: readonly Condition[];
  /** The same conditions in a form that is faster where all rows are read, if there is one. */
  whereOfAll?: readonly Condition[];
  /** True if there are conditions that the sort's index does not cover. */
  filtered: boolean;
  /** The number of rows without these conditions, if it is known: a walk of the index passes all of them. */
  unfiltered?: number | undefined;
  /** True if they tend to stand together in the order of the key, at any distance from its ends. */
  clustered?: boolean;
  key: SortKey;
  id: RawBuilder<unknown>;
}

export type Condition = RawBuilder<SqlBool>;

export function all(conditions: readonly Condition[]): RawBuilder<SqlBool> {
  return sql.join(conditions, sql` and `);
}

/** Returns the list of those rows that meet another condition as well. */
export function limitedTo(list: SortedList, condition: Condition): SortedList {
  const { where, whereOfAll = where } = list;
  return { ...list, where: [...where, condition], whereOfAll: [...whereOfAll, condition] };
}

/** True if the sort key is also the tie-breaker, so that there are no ties. */
export function isUnique({ key, id }: SortedList): boolean {
  return key.expression === id;
}
