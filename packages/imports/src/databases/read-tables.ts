import { ImportError } from '../import-error.ts';
import { type Fields, textOf } from '../read-values.ts';
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
  if (columns.size === 0) throw new ImportError('source_unknown', `The database has no table ${name}, as ${tool} has.`);
  if (missing.length > 0)
    throw new ImportError('source_unknown', `The table ${name} has no column ${missing.join(', ')}, as ${tool} has.`);
  return { name, column: (column) => (columns.has(column) ? column : `null as ${column}`) };
}

const REPORTS_AT_ONCE = 200;

/** The rows of a statement for ids after the last one, until there are none; each row has an `id`. */
export async function* batchesAfter(
  source: SourceDatabase,
  statement: (limit: number) => string,
): AsyncGenerator<Fields[]> {
  for (let after = '0'; ;) {
    const rows = await source.rows(statement(REPORTS_AT_ONCE), [after]);
    if (rows.length > 0) yield rows;
    const last = textOf(rows.at(-1)?.['id']);
    if (rows.length < REPORTS_AT_ONCE || last === null) return;
    after = last;
  }
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
