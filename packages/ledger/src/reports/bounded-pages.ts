import { type Expression, type RawBuilder, sql } from 'kysely';

/** Records of one page; fewer when what they say reaches so many bytes. */
const PAGE = { records: 1_000, bytes: 8 * 1024 ** 2 };

/** A row of a page, with the bytes that it and those before it have as JSON. */
export interface Weighed {
  bytes: number;
}

/**
 * Yields pages in the order of their rows. A record may say hundreds of kilobytes, and each row brings a copy of the
 * detail that it shares, so a page is bounded by bytes too. `read` returns the `weighed` ones of at most `limit` rows
 * behind the last one. The server weighs them all, so after a short page it is asked for no more than twice as many.
 */
export async function* boundedPages<Row extends Weighed>(
  read: (after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let limit = PAGE.records;
  for (let last: Row | undefined; ;) {
    const page = await read(last, limit);
    last = page.at(-1);
    if (last) yield page;
    if (!last || (page.length < limit && last.bytes < PAGE.bytes)) return;
    limit = Math.min(2 * page.length, PAGE.records);
  }
}

/**
 * Of rows of `report_record` in this order, those that make a page: up to the one that reaches its bytes. What a row
 * says is written as JSON once to weigh it (`offset 0`), as its stored size may be a hundredth.
 */
export function weighed<Row>(rows: Expression<Row>, order: string): RawBuilder<Row & Weighed> {
  const inOrder = sql.raw(`order by ${order}`);
  return sql`
    select * from (
      select *, sum(own_bytes) over (${inOrder} rows unbounded preceding) as bytes from (
        select *, octet_length(concat(reasons, dkim_results, spf_results)) as own_bytes from (${rows}) r offset 0) r) r
    where bytes - own_bytes < ${PAGE.bytes} ${inOrder}`;
}
