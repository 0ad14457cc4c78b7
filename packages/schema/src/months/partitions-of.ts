import type pg from 'pg';

/** A partition of a range of days, or of all other days. */
export interface Partition {
  name: string;
  /** Its first day; null for the partition of the past, and for that of all other days. */
  from: string | null;
  /** The first day after its last; null for the partition of all other days. */
  to: string | null;
}

/** Returns the partitions of a table; none if it is whole. */
export async function partitionsOf(client: pg.ClientBase, table: string): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select c.relname::text as name, substring(b.bounds from $$FROM \\('(.*?)'\\)$$) as from,
       substring(b.bounds from $$TO \\('(.*?)'\\)$$) as to
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
       cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bounds) b
     where i.inhparent = $1::regclass order by 1`,
    [table],
  );
  return rows;
}
