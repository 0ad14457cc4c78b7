import { printableText } from '@dmarc-ledger/vocabulary';

type Cell = string | number | boolean | null | undefined;
export type Row = { [column: string]: Cell };

/** One JSON document on stdout. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** A table for people: a column a key, as wide as its widest cell. Strangers' text is made inert. */
export function printTable(rows: readonly Row[]): void {
  if (rows.length === 0) return void process.stdout.write('none\n');
  const columns = Object.keys(rows[0]!);
  const cells = rows.map((row) => columns.map((column) => cellText(row[column])));
  const widths = columns.map((column, i) =>
    cells.reduce((widest, row) => Math.max(widest, row[i]!.length), column.length),
  );
  const line = (parts: readonly string[]) =>
    `${parts
      .map((part, i) => part.padEnd(widths[i]!))
      .join('  ')
      .trimEnd()}\n`;
  process.stdout.write(line(columns) + cells.map(line).join(''));
}

/** Rows as a table, or as JSON when that was asked for. */
export function print(rows: readonly Row[], { json }: { json?: boolean }): void {
  if (json) printJson(rows);
  else printTable(rows);
}

function cellText(cell: Cell): string {
  return cell === null || cell === undefined ? '-' : printableText(String(cell), 80);
}
