import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const PACKAGES = '{vocabulary,dmarc,dns-records,sources,scoring,facts,ledger,queries,pipeline}';
const PATH = /['"`]\/(?:domains|sources|reports|settings)\b/;

it('only the list of pages contains their paths; rules name a place', () => {
  const files = globSync(`packages/${PACKAGES}/src/**/*.ts`, { cwd: root });
  expect(files.length).toBeGreaterThan(400);
  expect(files.filter((file) => PATH.test(readFileSync(join(root, file), 'utf8')))).toEqual([
    'packages/vocabulary/src/places.ts',
  ]);
});
