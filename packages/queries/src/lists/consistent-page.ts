import type { Slice } from './sorted-list.ts';

/** A page of a list, and the number of all its rows. */
export interface Counted<Row> {
  rows: Row[];
  total: number;
}

const TRIES = 3;

/**
 * Reads a page with its total, which are two statements. Where rows that come or go between them make the two
 * contradict each other, both are read again. While that goes on, the total is at least that of the rows shown.
 */
export async function consistentPage<Row>(
  { limit, offset }: Pick<Slice, 'limit' | 'offset'>,
  read: () => Promise<Counted<Row>>,
): Promise<Counted<Row>> {
  let { rows, total } = await read();
  for (let tries = 1; tries < TRIES && rows.length !== rowsOf(total, limit, offset); tries++)
    ({ rows, total } = await read());
  return { rows, total: rows.length > 0 ? Math.max(total, offset + rows.length) : total };
}

function rowsOf(total: number, limit: number, offset: number): number {
  return Math.min(limit, Math.max(0, total - offset));
}
