import { printableText, present } from '@dmarc-ledger/vocabulary';

/** Longer text is cut in a table; JSON has all of it. */
export const LONGEST_CELL = 80;

type Cell = string | number | boolean | null | undefined;
export type Row = { [column: string]: Cell };

/** Prints one JSON document on stdout, with all keys in snake_case. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, withSnakeCase, 2)}\n`);
}

/** Prints a table: one column for each key, as wide as its widest cell. Control characters in cells are replaced. */
export function printTable(rows: readonly Row[]): void {
  if (rows.length === 0) return void process.stdout.write('none\n');
  const columns = Object.keys(present(rows[0]));
  const heads = columns.map(snakeCase);
  const cells = rows.map((row) => columns.map((column) => cellText(row[column])));
  const widths = heads.map((head, i) =>
    cells.reduce((widest, row) => Math.max(widest, present(row[i]).length), head.length),
  );
  const line = (parts: readonly string[]) =>
    `${parts
      .map((part, i) => part.padEnd(present(widths[i])))
      .join('  ')
      .trimEnd()}\n`;
  process.stdout.write(line(heads) + cells.map(line).join(''));
}

/** Prints rows as a table, or as JSON with `--json`. */
export function print(rows: readonly Row[], { json }: { json?: boolean }): void {
  if (json) printJson(rows);
  else printTable(rows);
}

/** Prints one row as a table, or as one JSON object with `--json`. */
export function printOne(row: Row, { json }: { json?: boolean }): void {
  if (json) printJson(row);
  else printTable([row]);
}

/** For `JSON.stringify`: our keys are in camelCase, while the command prints snake_case like the API. */
function withSnakeCase(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [snakeCase(key), held]));
}

function snakeCase(name: string): string {
  return /^[a-z][a-zA-Z0-9]*$/.test(name) ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
}

function cellText(cell: Cell): string {
  return cell === null || cell === undefined ? '-' : printableText(String(cell), LONGEST_CELL);
}
