import { type RawBuilder, sql, type SqlBool } from 'kysely';

type SortDirection = 'asc' | 'desc';

/** Which part of a sorted list is asked for. */
export interface Slice {
  direction: SortDirection;
  limit: number;
  offset: number;
}

export interface Page<Key extends string> extends Slice {
  sortBy: Key;
}

/** A slice as what lies before it, in it and behind it. */
export interface Place {
  before: number;
  count: number;
  after: number;
}

/** What a list is sorted by. There is an index `(tenant columns, key, id)` unless it says otherwise. */
export interface SortKey {
  expression: RawBuilder<unknown>;
  type: 'timestamptz' | 'text' | 'bigint' | 'integer' | 'inet';
  nullable: boolean;
  /** False: all that match are sorted, which is right for a list of thousands. */
  indexed?: false;
  /** Bounds of the key that follow from the conditions; they narrow the walk and exclude no row that has a key. */
  bounds?: readonly Condition[];
}

/** Rows of one table, the condition that they meet (the tenant first), what they are sorted by and what settles ties. */
export interface SortedList {
  table: RawBuilder<unknown>;
  where: readonly Condition[];
  /** True when there are conditions that the index of the sort knows nothing of. */
  filtered: boolean;
  key: SortKey;
  id: RawBuilder<unknown>;
}

export type Condition = RawBuilder<SqlBool>;

export function all(conditions: readonly Condition[]): RawBuilder<SqlBool> {
  return sql.join(conditions, sql` and `);
}

/** A sort key that is also what settles ties, and so needs no settling. */
export function isUnique({ key, id }: SortedList): boolean {
  return key.expression === id;
}
