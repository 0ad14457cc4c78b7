import { Readable } from 'node:stream';
import { CSV_TYPE, csvLine, type Cell } from '@dmarc-ledger/api/answers';
import { z } from 'zod';
import type { Download } from './define-page.ts';

/** The columns of a file, each with what it holds of a row. */
export interface CsvColumns<Row> {
  [name: string]: (row: Row) => Cell | undefined;
}

/** The most rows of a file whose list is read by position; the filter of the page leads to the others. */
export const MOST_CSV_ROWS = 100_000;
/** Rows in memory at a time. */
const ROWS_AT_A_TIME = 500;

/** `format=csv` in the address of a page. */
export const csvShape = { format: z.enum(['csv']).optional().catch(undefined) };

/**
 * A list as CSV, written while it is read: no more than two batches of rows are in memory. The first batch is read
 * before anything is sent, so that a fault in it is still an error page.
 */
export async function csvFile<Row>(
  filename: string,
  columns: CsvColumns<Row>,
  batches: AsyncIterable<readonly Row[]>,
): Promise<Download> {
  const reading = batches[Symbol.asyncIterator]();
  const first = await reading.next();
  const values = Object.values(columns);
  const lines = (rows: readonly Row[]) =>
    rows.map((row) => csvLine(values.map((value) => value(row) ?? null))).join('');
  async function* chunks() {
    try {
      yield csvLine(Object.keys(columns));
      for (let batch = first; !batch.done; batch = await reading.next()) yield lines(batch.value);
    } finally {
      await reading.return?.();
    }
  }
  return { type: CSV_TYPE, filename, body: Readable.from(chunks(), { objectMode: false }) };
}

/** A list that is in memory already, as batches. */
export async function* inMemory<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_A_TIME) yield rows.slice(at, at + ROWS_AT_A_TIME);
}

/**
 * Reads a list page by page, at most 100,000 rows. No connection is held while the reader is slow; a row that moves to
 * a later page meanwhile, because others arrive, is in the file once.
 */
export async function* pagesOf<Row>(
  find: (page: { limit: number; offset: number }) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): AsyncGenerator<readonly Row[]> {
  const seen = new Set<string>();
  for (let offset = 0; offset < MOST_CSV_ROWS; offset += ROWS_AT_A_TIME) {
    const rows = await find({ limit: ROWS_AT_A_TIME, offset });
    const fresh = rows.filter((row) => !seen.has(keyOf(row)));
    for (const row of fresh) seen.add(keyOf(row));
    yield fresh;
    if (rows.length < ROWS_AT_A_TIME) return;
  }
}

/** Reads a list each of whose pages begins after the last row of the one before, to its end. */
export async function* pagesAfter<Row>(
  find: (page: { limit: number; after: Row | undefined }) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: Row | undefined;
  for (;;) {
    const rows = await find({ limit: ROWS_AT_A_TIME, after });
    yield rows;
    after = rows.at(-1);
    if (rows.length < ROWS_AT_A_TIME) return;
  }
}
