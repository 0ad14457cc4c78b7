import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs } from '@dmarc-ledger/blobs';
import { expect, it } from 'vitest';
import { hostileDeliveries } from './hostile-deliveries.ts';
import { readHostile } from './read-hostile.ts';

/** A quarter of the worst; `bench/hostile.ts` measures all of it. */
const deliveries = hostileDeliveries(1024 ** 2 / 4);
/** A wide limit: reading in one piece takes many times this on any machine. */
const HELD_MS = 250;
const GROWN_MIB = 400;
/** On the processor, several times what the most expensive one takes. */
const WORKED_MS = 2_500;

it.each(Object.keys(deliveries))('others have their turn while %s is read', { timeout: 60_000 }, async (name) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'dmarc-ledger-blobs-'));
  const blobs = await openBlobs(pathToFileURL(folder.path).href);
  const { heldMs, workedMs, grownMiB, reports, refusals } = await readHostile(blobs, deliveries[name]!());
  expect(heldMs).toBeLessThan(HELD_MS);
  expect(workedMs).toBeLessThan(WORKED_MS);
  expect(grownMiB).toBeLessThan(GROWN_MIB);
  expect(reports + refusals.length).toBeGreaterThan(0);
  expect(refusals.length).toBeLessThanOrEqual(50);
});
