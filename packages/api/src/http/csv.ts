import { Attachment } from './answer.ts';

type Cell = string | number | null;

/** Texts that a spreadsheet would run as a formula; reporters can choose them. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Converts a table to CSV (RFC 4180): a header line, CRLF, null as an empty field, and no text that a spreadsheet would
 * execute. (rules, api/files)
 */
export function csvAttachment(
  filename: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): Attachment {
  const lines = [columns.join(','), ...rows.map((row) => row.map(field).join(','))];
  return new Attachment(
    'text/csv; charset=utf-8; header=present',
    filename,
    lines.map((line) => `${line}\r\n`).join(''),
  );
}

function field(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const inert = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
