import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { fileSource } from '@dmarc-ledger/unpack';
import { expect, it } from 'vitest';
import { takeDelivery, type Figures, type Taken } from './take-delivery.ts';

interface Case {
  group: string;
  verdict: 'accept' | 'reject' | 'either';
  reports?: Figures[];
}

const directory = process.env['HOSTILE_DIRECTORY'];
const root = directory
  ? new URL(`file://${directory}/`)
  : new URL('../../../../shared/corpus/hostile/', import.meta.url);
const GROUPS = new Set(['archive', 'xml', 'encoding', 'structure', 'value', 'duplicate', 'mail']);
/** Takes `3.0` for nothing; for us it is 3, with a warning. */
const OTHER_GRAMMAR = 'count-decimal.xml';
/** Three records of more messages than anybody receives in a day: refused, with a reason. */
const IMPLAUSIBLE = 'count-sum-over-2p31.xml';
const SMALL_MS = 10_000;
const BIG_MS = 60_000;

/** Empty where the inputs are not at hand. */
const known: { [file: string]: Case } = existsSync(root)
  ? JSON.parse(readFileSync(new URL('hostile_expected.json', root), 'utf8'))
  : {};
const urlOf = (file: string) => new URL(encodeURIComponent(file), root);
const cases = Object.entries(known).filter(([file, { group }]) => GROUPS.has(group) && existsSync(urlOf(file)));

it(`stands ${cases.length} hostile inputs`, { timeout: 10 * BIG_MS }, async () => {
  const complaints: { [file: string]: unknown } = {};
  for (const [file, entry] of cases) {
    const started = performance.now();
    const complaint = compare(
      await takeDelivery(await fileSource(fileURLToPath(urlOf(file))), file),
      expectedOf(file, entry),
    );
    if (complaint !== null) complaints[file] = complaint;
    if (performance.now() - started > (directory ? BIG_MS : SMALL_MS)) complaints[file] = 'too slow';
  }
  expect(complaints).toEqual({});
});

/** What our rules ask of an input, where they ask for more than its makers did. */
function expectedOf(file: string, entry: Case): Case {
  if (file === OTHER_GRAMMAR) return { ...entry, reports: [] };
  return file === IMPLAUSIBLE ? { ...entry, verdict: 'reject' } : entry;
}

/** What is wrong with what was taken; null for nothing. Whatever is taken has these figures, and nothing goes silently. */
function compare(taken: Taken, { verdict, reports = [] }: Case): unknown {
  if (taken.reports.length === 0)
    return verdict !== 'accept' && taken.refusals.length > 0 ? null : `refused: ${taken.refusals.join()}`;
  if (verdict === 'reject') return 'taken';
  for (const wanted of reports) {
    const wrong = taken.reports
      .map(({ figures }) => differences(figures, wanted))
      .sort((a, b) => Object.keys(a).length - Object.keys(b).length)[0];
    if (wrong && Object.keys(wrong).length > 0) return wrong;
  }
  return null;
}

function differences(figures: Figures, wanted: Figures): Figures {
  return Object.fromEntries(
    Object.keys(wanted)
      .filter((name) => !isDeepStrictEqual(figures[name], wanted[name]))
      .map((name) => [name, { got: figures[name], wanted: wanted[name] }]),
  );
}
