import type { Database } from '@dmarc-ledger/schema';

export interface TableSize {
  name: string;
  rows: number;
  /** Bytes. */
  heap: number;
  indexes: number;
}

/** The tables with at least a hundred rows, as they were last analyzed, the largest first. */
export async function tableSizes({ pool }: Database): Promise<TableSize[]> {
  const { rows } = await pool.query<TableSize>(
    `select c.relname::text as name, greatest(c.reltuples, 0)::bigint as rows, pg_table_size(c.oid) as heap,
       pg_indexes_size(c.oid) as indexes
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.reltuples >= 100
     order by pg_total_relation_size(c.oid) desc`,
  );
  return rows;
}

export function bytesOf(sizes: readonly TableSize[]): number {
  return sizes.reduce((bytes, { heap, indexes }) => bytes + heap + indexes, 0);
}
