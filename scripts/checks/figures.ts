import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LINE_LIMIT, measure, type Measured } from './measure.ts';
import { root } from './workspaces.ts';

export interface Figure {
  name: string;
  value: number;
  /** The most that it may be; absent for a figure that is only printed. */
  limit?: number;
  /** Where it is counted: file, line and, where it helps, a name. */
  places: string[];
}

const PARAMETER_LIMIT = 4;
const LIMITS = { casts: 1, nonNull: 1.5 };
/** Sources of packages and services. All other files have a part in the figure of long lines alone. */
const SOURCE = /^(?:packages|services)\/[^/]+\/src\/.*\.tsx?$/;

/** All figures of the files that git knows. */
export function readFigures(): Figure[] {
  const paths = listFiles();
  const code = paths.filter((path) => /\.tsx?$/.test(path)).map((path) => measure(path, readText(path)));
  const measured = code.filter(({ path }) => SOURCE.test(path));
  const thousands = sum(measured.map(({ lines }) => lines)) / 1_000;
  const functions = measured.flatMap((file) => file.functions);
  const longest = measured.toSorted((a, b) => b.lines - a.lines).slice(0, 10);
  const placesOf = (pick: (file: Measured) => string[]) => measured.flatMap(pick);
  const casts = placesOf((file) => file.casts);
  const nonNull = placesOf((file) => file.nonNull);
  const wide = functions.filter(({ parameters }) => parameters > PARAMETER_LIMIT).map(({ place }) => place);
  const pages = paths.filter((path) => path.endsWith('.md'));
  const long = [...code.flatMap((file) => file.long), ...pages.flatMap((path) => longLines(path, readText(path)))];
  return [
    { name: 'files', value: measured.length, places: [] },
    { name: 'lines', value: thousands * 1_000, places: [] },
    { name: 'lines of a file, median', value: median(measured.map(({ lines }) => lines)), places: [] },
    {
      name: 'lines of a file, longest',
      value: longest[0]?.lines ?? 0,
      places: longest.map(({ path, lines }) => `${path} ${lines}`),
    },
    { name: 'functions', value: functions.length, places: [] },
    { name: 'lines of a function, median', value: median(functions.map(({ lines }) => lines)), places: [] },
    {
      name: 'casts per 1,000 lines',
      value: casts.length / thousands,
      limit: LIMITS.casts,
      places: casts,
    },
    {
      name: 'non-null assertions per 1,000 lines',
      value: nonNull.length / thousands,
      limit: LIMITS.nonNull,
      places: nonNull,
    },
    {
      name: `functions with more than ${PARAMETER_LIMIT} parameters`,
      value: wide.length,
      limit: 0,
      places: wide,
    },
    {
      name: `lines longer than ${LINE_LIMIT} characters`,
      value: long.length,
      limit: 0,
      places: long,
    },
  ];
}

/** Files of TypeScript and Markdown that are tracked, or new and not ignored. */
function listFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '*.ts', '*.md'];
  const tracked = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const deleted = execFileSync('git', ['ls-files', '--deleted'], { cwd: root, encoding: 'utf8' }).split('\n');
  return tracked.filter((path) => !deleted.includes(path));
}

/** The lines of a page beyond the limit. Rows of tables, headings and single words, such as links, cannot be broken. */
function longLines(path: string, text: string): string[] {
  let isCode = false;
  return text.split('\n').flatMap((line, i) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    return line.length <= LINE_LIMIT || isCode || /^\s*(?:\||#|\S+$)/.test(line) ? [] : [`${path}:${i + 1}`];
  });
}

function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
