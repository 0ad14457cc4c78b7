import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Random, testSeed } from '@dmarc-ledger/testkit/random';
import { describe, expect, it } from 'vitest';
import { mutate } from './fuzz/mutate.ts';
import { targets } from './fuzz/targets.ts';
import { tryInput } from './fuzz/try-input.ts';

const INPUTS = 300;
/** Generous: the machine has other work. `npm run fuzz` has limits of its own. */
const LONGEST_MS = 10_000;
const seed = testSeed();
const known = new URL('fuzz/regressions/', import.meta.url);

describe(`whatever is sent, a reader reads it or refuses it (SEED=${seed})`, () => {
  it.each(Object.entries(targets))('%s', async (_, target) => {
    const random = new Random(seed);
    expect(target.samples).not.toEqual([]);
    for (const sample of target.samples) expect((await tryInput(target, sample)).fault).toBeUndefined();
    for (let i = 0; i < INPUTS; i += 1) {
      const input = mutate(target.samples, target.words, random);
      const { fault, milliseconds } = await tryInput(target, input);
      if (fault !== undefined) throw new Error(`input ${i} of seed ${seed}`, { cause: fault });
      expect(milliseconds).toBeLessThan(LONGEST_MS);
    }
  });
});

describe('what was found once is found no more', () => {
  const found = existsSync(known) ? readdirSync(known).filter((file) => !file.endsWith('.md')) : [];
  it.each(found)('%s', async (file) => {
    const target = targets[file.split('.')[0] ?? ''];
    const { fault, milliseconds } = await tryInput(target!, readFileSync(new URL(file, known)));
    expect(fault).toBeUndefined();
    expect(milliseconds).toBeLessThan(LONGEST_MS);
  });
});
