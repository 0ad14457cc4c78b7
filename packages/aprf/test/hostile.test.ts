import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { fileSource } from '@dmarc-ledger/unpack';
import { expect, it } from 'vitest';
import type { AprfReport } from '../src/index.ts';
import { takeDelivery, type Taken } from './take-delivery.ts';

interface Case {
  group: string;
  verdict: 'accept' | 'reject' | 'either';
  reports?: Figures[];
}

interface Figures {
  source: string;
  dkim_domain: string;
  dkim_selector: string;
  rows: number;
}

const directory = process.env['HOSTILE_DIRECTORY'];
const root = directory
  ? new URL(`file://${directory}/`)
  : new URL('../../../../shared/corpus/hostile/', import.meta.url);
const list = new URL('hostile_expected.json', root);

/** Empty where the inputs are not at hand. */
const known: { [file: string]: Case } = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
const cases = Object.entries(known).filter(([file, { group }]) => group === 'aprf' && existsSync(new URL(file, root)));

it(`stands ${cases.length} hostile inputs`, { timeout: 120_000 }, async () => {
  const complaints: { [file: string]: unknown } = {};
  for (const [file, entry] of cases) {
    const complaint = compare(await takeDelivery(await fileSource(fileURLToPath(new URL(file, root))), file), entry);
    if (complaint !== null) complaints[file] = complaint;
  }
  expect(complaints).toEqual({});
});

/** What is wrong with what was taken; null for nothing. Whatever is taken has these figures, and nothing goes silently. */
function compare({ reports, refusals }: Taken, { verdict, reports: wanted }: Case): unknown {
  if (reports.length === 0) return verdict !== 'accept' && refusals.length > 0 ? null : `refused: ${refusals.join()}`;
  if (verdict === 'reject') return 'taken';
  const figures = reports.map(figuresOf);
  return !wanted || isDeepStrictEqual(figures, wanted.map(pick)) ? null : { figures, wanted };
}

function figuresOf({ source, dkimDomain, dkimSelector, rows }: AprfReport): Figures {
  return { source, dkim_domain: dkimDomain, dkim_selector: dkimSelector, rows: rows.length };
}

function pick({ source, dkim_domain, dkim_selector, rows }: Figures): Figures {
  return { source, dkim_domain, dkim_selector, rows };
}
