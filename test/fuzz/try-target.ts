import { parentPort, workerData } from 'node:worker_threads';
import { Random } from '@dmarc-ledger/testkit/random';
import { openCoverage } from './coverage.ts';
import { mutate } from './mutate.ts';
import { targets } from './targets.ts';
import { tryInput } from './try-input.ts';
import { LIMITS, Shared, type Finding } from './watch-target.ts';

/** Inputs of one run that are kept because they reached new code, besides the samples. */
const KEPT = 4_000;
/** Asking for the coverage takes milliseconds. Of a batch that reached new code all inputs are kept. */
const BATCH = 25;
/** Other work of the machine stops a loop too: an input is slow that is slow each time. */
const TRIES = 3;

const { name, seed, milliseconds, memory } = workerData as {
  name: string;
  seed: number;
  milliseconds: number;
  memory: SharedArrayBuffer;
};
const target = targets[name];
if (!target) throw new Error(`There is no target ${name}.`);
const shared = new Shared(memory);
const coverage = await openCoverage();
const random = new Random(seed);
const corpus: [Buffer, ...Buffer[]] = [...target.samples];
const end = Date.now() + milliseconds;
let finding: Omit<Finding, 'input'> | undefined;
while (Date.now() < end && !finding) {
  const batch: Buffer[] = [];
  while (batch.length < BATCH && !finding) {
    const input = mutate(corpus, target.words, random);
    batch.push(input);
    shared.begin(input);
    finding = await findIn(input);
    shared.end();
  }
  if (!(await coverage.hasGrown())) continue;
  shared.noteGrowth();
  if (corpus.length < KEPT) corpus.push(...batch);
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
if (finding) parentPort?.postMessage(finding);
process.exit(0);

async function findIn(input: Buffer): Promise<Omit<Finding, 'input'> | undefined> {
  let delay = Infinity;
  for (let tries = 0; tries < TRIES && delay > LIMITS.loopMs; tries += 1) {
    const { fault, loopDelay } = await tryInput(target!, input);
    if (fault !== undefined)
      return { kind: 'error', message: fault instanceof Error ? fault.message : JSON.stringify(fault) };
    delay = Math.min(delay, loopDelay);
  }
  return delay > LIMITS.loopMs ? { kind: 'loop', message: `no turn for ${Math.round(delay)} ms` } : undefined;
}
