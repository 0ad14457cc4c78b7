import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digits, verdictOf, type Row, type Verdict } from './row.ts';

const JSON_FILE = fileURLToPath(new URL('results/last.json', import.meta.url));
const TEXT_FILE = fileURLToPath(new URL('results/last.txt', import.meta.url));

/** One run as it is kept. */
export interface Result {
  at: string;
  machine: string;
  seed: number;
  rounds: number;
  rows: (Row & { reached: Verdict })[];
}

/** The run that was kept last, if any. */
export function readLast(): Result | undefined {
  // written by us alone
  return existsSync(JSON_FILE) ? (JSON.parse(readFileSync(JSON_FILE, 'utf8')) as Result) : undefined;
}

export function keep(result: Result, text: string): void {
  mkdirSync(dirname(JSON_FILE), { recursive: true });
  writeFileSync(JSON_FILE, `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(TEXT_FILE, `${text}\n`);
}

/** The table as people read it, each line beside what it was the last time. */
export function tableText(rows: readonly Row[], last: Result | undefined): string {
  const before = new Map(last?.rows.map((row) => [row.name, row]));
  const lines = rows.map((row) => [
    row.name,
    spreadText(row),
    targetText(row),
    verdictOf(row),
    before.has(row.name) ? digits(before.get(row.name)!.measured.median) : '–',
    row.detail,
  ]);
  return aligned([
    ['what', 'median (min – max)', 'target', 'reached', 'last', 'detail (CPU of client + server)'],
    ...lines,
  ]);
}

export function spreadText({ measured: { median, min, max }, unit }: Row): string {
  return min === max ? `${digits(median)} ${unit}` : `${digits(median)} ${unit} (${digits(min)} – ${digits(max)})`;
}

function targetText({ target }: Row): string {
  if (!target) return '';
  return 'atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast.toLocaleString('en-US')}`;
}

function aligned(lines: string[][]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
