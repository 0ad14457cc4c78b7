import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs } from '@dmarc-ledger/blobs';
import { hostileDeliveries } from '../packages/pipeline/test/hostile-deliveries.ts';
import { readHostile } from '../packages/pipeline/test/read-hostile.ts';

// For each hostile delivery: the longest block of the event loop, the time of reading, by the clock and on the
// processor, and the growth of the process.
await using folder = await mkdtempDisposable(join(tmpdir(), 'dmarc-ledger-hostile-'));
const blobs = await openBlobs(pathToFileURL(folder.path).href);
for (const [name, make] of Object.entries(hostileDeliveries(1024 ** 2))) {
  const bytes = make();
  const { heldMs, tookMs, workedMs, grownMiB, reports, records, refusals } = await readHostile(blobs, bytes);
  const figures = [
    `${heldMs.toFixed(0)} ms held`,
    `${tookMs.toFixed(0)} ms`,
    `${workedMs.toFixed(0)} ms`,
    `${grownMiB.toFixed(0)} MiB`,
  ];
  const became = refusals.length > 0 ? [...new Set(refusals)].join(', ') : `${reports} reports, ${records} records`;
  process.stdout.write(`${figures.map((text) => text.padStart(12)).join('')}  ${name}: ${became}\n`);
}
process.exit(); // a thread that reads may wait for more
