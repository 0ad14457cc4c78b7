import { Attachment } from './answer.ts';

export type Cell = string | number | boolean | null;

/**
 * Texts that a spreadsheet would run as a formula; reporters can choose them. Some trim spaces first, and some take the
 * wide forms of the signs for the same.
 */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/**
 * Converts a table to CSV (RFC 4180): a header line, CRLF, null as an empty field, and no text that a spreadsheet would
 * execute. (rules, api/files)
 */
export function csvAttachment(
  filename: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): Attachment {
  return new Attachment(CSV_TYPE, filename, [columns, ...rows].map(csvLine).join(''));
}

/** One line, with its end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(field).join(',')}\r\n`;
}

/** What separates fields in some languages is quoted too. */
function field(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const inert = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",;\t\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
