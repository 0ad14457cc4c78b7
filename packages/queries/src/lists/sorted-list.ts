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
  /** The same conditions in the form that is faster where all rows are read. */
  ofAll: ConditionsOfAll;
  /** True if there are conditions that the sort's index does not cover. */
  filtered: boolean;
  /** The number of rows without these conditions, if it is known: a walk of the index passes all of them. */
  unfiltered?: number | undefined;
  /** True if they tend to stand together in the order of the key, behind all others. */
  clustered?: boolean;
  /** True if an index that begins with these conditions has the key and the id of each row. */
  covered?: boolean;
  key: SortKey;
  id: RawBuilder<unknown>;
}

export type Condition = RawBuilder<SqlBool>;

/** Conditions that select all rows of a list. */
export interface ConditionsOfAll {
  where: readonly Condition[];
  /** Each row meets the conditions of one of these as well: where no index serves the two joined by `or`. */
  parts?: readonly (readonly Condition[])[];
}

export function all(conditions: readonly Condition[]): RawBuilder<SqlBool> {
  return sql.join(conditions, sql` and `);
}

/** Returns the list of those rows that meet other conditions as well. */
export function limitedTo(list: SortedList, conditions: readonly Condition[]): SortedList {
  const { where, ofAll } = list;
  return { ...list, where: [...where, ...conditions], ofAll: { ...ofAll, where: [...ofAll.where, ...conditions] } };
}

/** True if the sort key is also the tie-breaker, so that there are no ties. */
export function isUnique({ key, id }: SortedList): boolean {
  return key.expression === id;
}
