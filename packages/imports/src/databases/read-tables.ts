import { ImportError } from '../import-error.ts';
import { RECORDS_OF_A_REPORT } from '../kept-report.ts';
import { countOf, type Fields, textOf } from '../read-values.ts';
import type { SourceDatabase } from './open-source.ts';

/** A table with the columns that this version of the tool has. */
export interface SourceTable {
  name: string;
  /** The column, or `null` under its name where the table does not have it. */
  column: (name: string) => string;
}

/**
 * Finds a table of the database that is open.
 *
 * @throws {ImportError} `source_unknown` where it is missing, or lacks a column that every version has.
 */
export async function findTable(
  source: SourceDatabase,
  name: string,
  { tool, needed }: { tool: string; needed: readonly string[] },
): Promise<SourceTable> {
  const own = source.dialect === 'mysql' ? 'database()' : 'any (current_schemas(false))';
  const rows = await source.rows(
    `select column_name as name from information_schema.columns where table_schema = ${own} and table_name = ?`,
    [name],
  );
  const columns = new Set(rows.map((row) => textOf(row['name'] ?? row['NAME'])));
  const missing = needed.filter((column) => !columns.has(column));
  if (columns.size === 0)
    throw new ImportError('source_unknown', `The database has no table ${name}, so it is not a database of ${tool}.`);
  if (missing.length > 0)
    throw new ImportError('source_unknown', `The table ${name} has no column ${missing.join(', ')}, as ${tool} has.`);
  return { name, column: (column) => (columns.has(column) ? column : `null as ${column}`) };
}

const REPORTS_AT_ONCE = 5_000;

/** The records that are held in memory, except those of one report with more. */
const RECORDS_AT_ONCE = 20_000;

/**
 * The rows of a `select` without a condition, in the order of a number that `key` names, some thousands at a time. Each
 * row has that number as `id`.
 */
export async function* batchesBy(source: SourceDatabase, key: string, select: string): AsyncGenerator<Fields[]> {
  const order = `order by ${key} limit ${REPORTS_AT_ONCE}`;
  for (let after: string | null = null; ;) {
    const next = after === null ? '' : `where ${key} > ?`; // the first number may be below 1
    const rows: Fields[] = await source.rows(`${select} ${next} ${order}`, after === null ? [] : [after]);
    if (rows.length > 0) yield rows;
    after = textOf(rows.at(-1)?.['id']);
    if (rows.length < REPORTS_AT_ONCE || after === null) return;
  }
}

/** The expression of PostgreSQL for the seconds since 1970 of an instant, and null for one that is infinite. */
export function secondsSince1970(instant: string): string {
  return `case when isfinite(${instant}) then extract(epoch from ${instant})::bigint end`;
}

/** How the records of reports are read: `owner` is the column with the id of their report. */
interface RecordReading {
  table: string;
  owner: string;
  columns: string;
  order: string;
}

/** The records of reports, by the id of their report: of as many reports at a time as memory holds well. */
export async function* recordsOf(
  source: SourceDatabase,
  reports: readonly Fields[],
  { table, owner, columns, order }: RecordReading,
): AsyncGenerator<{ reports: Fields[]; records: Map<string, Fields[]> }> {
  const idsOf = (rows: readonly Fields[]) => rows.map(({ id }) => id);
  const sizes = await rowsOf(
    source,
    (ids) => `select ${owner} as owner, count(*) as size from ${table} where ${owner} in (${ids}) group by ${owner}`,
    idsOf(reports),
  );
  const sizeOf = ({ id }: Fields) => countOf(sizes.get(String(id))?.[0]?.['size']) ?? 0;
  for (const chunk of chunksBySize(reports, RECORDS_AT_ONCE, sizeOf)) {
    const records = await rowsOf(
      source,
      (ids) => `
        select ${owner} as owner, ${columns} from ${table} where ${owner} in (${ids})
        order by ${order} limit ${RECORDS_OF_A_REPORT + 1}`,
      idsOf(chunk),
    );
    yield { reports: chunk, records };
  }
}

/** Rows in their order, in chunks of at most this size; a row that is larger is a chunk of its own. */
export function* chunksBySize(
  rows: readonly Fields[],
  limit: number,
  sizeOf: (row: Fields) => number,
): Generator<Fields[]> {
  let [chunk, size]: [Fields[], number] = [[], 0];
  for (const row of rows) {
    const own = sizeOf(row);
    if (chunk.length > 0 && size + own > limit) {
      yield chunk;
      [chunk, size] = [[], 0];
    }
    chunk.push(row);
    size += own;
  }
  if (chunk.length > 0) yield chunk;
}

/** The rows of a statement about these ids, by the id that each row names as `owner`. */
export async function rowsOf(
  source: SourceDatabase,
  statement: (ids: string) => string,
  ids: readonly unknown[],
): Promise<Map<string, Fields[]>> {
  if (ids.length === 0) return new Map();
  const rows = await source.rows(statement(ids.map(() => '?').join(', ')), ids);
  return Map.groupBy(rows, ({ owner }) => String(owner));
}
