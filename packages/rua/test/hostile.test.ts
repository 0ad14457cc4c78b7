import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { fileSource } from '@dmarc-ledger/unpack';
import { describe, expect, it } from 'vitest';
import { takeDelivery, type Figures } from './take-delivery.ts';

interface Case {
  group: string;
  verdict: 'accept' | 'reject' | 'either';
  reports?: Figures[];
}

const directory = process.env['HOSTILE_DIRECTORY'];
const root = directory ? new URL(`file://${directory}/`) : new URL('../../../../shared/corpus/hostile/', import.meta.url);
const GROUPS = new Set(['archive', 'xml', 'encoding', 'structure', 'value', 'duplicate', 'mail']);
/** Takes `3.0` for nothing; for us it is 3, with a warning. */
const OTHER_GRAMMAR = 'count-decimal.xml';
const SMALL_MS = 10_000;
const BIG_MS = 60_000;

if (existsSync(root)) {
  const cases: { [file: string]: Case } = JSON.parse(readFileSync(new URL('hostile_expected.json', root), 'utf8'));
  describe('hostile inputs', () => {
    for (const [file, { group, verdict, reports }] of Object.entries(cases)) {
      const url = new URL(encodeURIComponent(file), root);
      if (!GROUPS.has(group) || !existsSync(url)) continue;
      it(`${verdict}: ${file}`, { timeout: directory ? BIG_MS : SMALL_MS }, async () => {
        const taken = await takeDelivery(await fileSource(fileURLToPath(url)), file);
        if (verdict === 'reject') expect(taken.reports).toEqual([]);
        if (taken.reports.length === 0) {
          expect(verdict).not.toBe('accept');
          expect(taken.refusals.length).toBeGreaterThan(0);
          return;
        }
        for (const wanted of file === OTHER_GRAMMAR ? [] : (reports ?? [])) {
          const best = taken.reports.map(({ figures }) => differences(figures, wanted)).sort((a, b) => Object.keys(a).length - Object.keys(b).length)[0];
          expect(best, JSON.stringify(taken.reports.flatMap(({ warnings }) => warnings))).toEqual({});
        }
      });
    }
  });
}

function differences(figures: Figures, wanted: Figures): Figures {
  return Object.fromEntries(
    Object.keys(wanted).filter((name) => !isDeepStrictEqual(figures[name], wanted[name]))
      .map((name) => [name, { got: figures[name], wanted: wanted[name] }]),
  );
}
