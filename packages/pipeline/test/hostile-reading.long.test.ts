import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs } from '@dmarc-ledger/blobs';
import { beforeAll, expect, it } from 'vitest';
import { hostileDeliveries } from './hostile-deliveries.ts';
import { readHostile } from './read-hostile.ts';

/** A quarter of the worst; `bench/hostile.ts` measures all of it. */
const deliveries = hostileDeliveries(1024 ** 2 / 4);
/** A wide limit: reading in one piece takes many times this on any machine. */
const HELD_MS = 250;
const GROWN_MIB = 400;
/** Several times what the most expensive one takes, in readings of a plain report of as many bytes. */
const WORKED_PLAIN = 25;
const PLAIN = 'very many tiny records';

async function read(name: string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'dmarc-ledger-blobs-'));
  const blobs = await openBlobs(pathToFileURL(folder.path).href);
  return await readHostile(blobs, deliveries[name]!());
}

let plainMs: number;
beforeAll(async () => void (plainMs = (await read(PLAIN)).workedMs));

it.each(Object.keys(deliveries))('others have their turn while %s is read', { timeout: 60_000 }, async (name) => {
  const { heldMs, workedMs, grownMiB, reports, refusals } = await read(name);
  expect(heldMs).toBeLessThan(HELD_MS);
  expect(workedMs).toBeLessThan(WORKED_PLAIN * plainMs);
  expect(grownMiB).toBeLessThan(GROWN_MIB);
  expect(reports + refusals.length).toBeGreaterThan(0);
  expect(refusals.length).toBeLessThanOrEqual(50);
});
