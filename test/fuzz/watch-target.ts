import { Worker } from 'node:worker_threads';
import { LONGEST_INPUT } from './mutate.ts';

/** What one input did that no input may do, and the input. */
export interface Finding {
  kind: 'error' | 'time' | 'loop' | 'memory';
  message: string;
  input: Buffer;
}

export interface Watched {
  inputs: number;
  /** How often inputs reached code which none before them had reached. */
  places: number;
  finding?: Finding;
}

/** Of one input: how long it may take, for how long it may stop the event loop, and what it may hold in memory. */
export const LIMITS = { timeMs: 5_000, loopMs: 500, memoryMb: 512 };

const WATCH_MS = 100;
/** In the shared memory: inputs, new places, when the input began (epoch milliseconds, 0: none), its length. */
const [INPUTS, PLACES, BEGAN, LENGTH, FIELDS] = [0, 1, 2, 3, 4];

/** Memory that watcher and thread share: counters, then the bytes of the current input. */
export class Shared {
  readonly memory: SharedArrayBuffer;
  readonly #fields: Float64Array;
  readonly #bytes: Uint8Array;

  constructor(memory = new SharedArrayBuffer(FIELDS * 8 + LONGEST_INPUT)) {
    this.memory = memory;
    this.#fields = new Float64Array(memory, 0, FIELDS);
    this.#bytes = new Uint8Array(memory, FIELDS * 8);
  }

  begin(input: Buffer): void {
    this.#bytes.set(input);
    this.#fields[LENGTH] = input.length;
    this.#fields[BEGAN] = Date.now();
    this.#fields[INPUTS] = this.inputs + 1;
  }

  end(): void {
    this.#fields[BEGAN] = 0;
  }

  noteGrowth(): void {
    this.#fields[PLACES] = this.places + 1;
  }

  get inputs(): number {
    return this.#fields[INPUTS] ?? 0;
  }

  get places(): number {
    return this.#fields[PLACES] ?? 0;
  }

  get runningMs(): number {
    const began = this.#fields[BEGAN] ?? 0;
    return began === 0 ? 0 : Date.now() - began;
  }

  get input(): Buffer {
    return Buffer.from(this.#bytes.slice(0, this.#fields[LENGTH]));
  }
}

/** Tries inputs of one target in a thread of its own for so long, or until one of them breaks a limit. */
export async function watchTarget(name: string, seed: number, milliseconds: number): Promise<Watched> {
  const shared = new Shared();
  const resourceLimits = { maxOldGenerationSizeMb: LIMITS.memoryMb };
  const worker = new Worker(new URL('try-target.ts', import.meta.url), {
    workerData: { name, seed, milliseconds, memory: shared.memory },
    resourceLimits,
  });
  const { promise, resolve } = Promise.withResolvers<Omit<Finding, 'input'> | undefined>();
  worker.on('message', (finding: Omit<Finding, 'input'>) => resolve(finding));
  worker.on('error', (error: Error & { code?: string }) =>
    resolve({ kind: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'error', message: error.message }),
  );
  worker.on('exit', () => resolve(undefined));
  const before = process.memoryUsage().rss;
  const watch = setInterval(() => {
    if (shared.runningMs > LIMITS.timeMs) resolve({ kind: 'time', message: `more than ${LIMITS.timeMs} ms` });
    const grown = (process.memoryUsage().rss - before) / 1024 ** 2;
    if (grown > 2 * LIMITS.memoryMb) resolve({ kind: 'memory', message: `${Math.round(grown)} MiB more than before` });
  }, WATCH_MS);
  const found = await promise;
  const { input, inputs, places } = shared;
  clearInterval(watch);
  await worker.terminate();
  return { inputs, places, ...(found && { finding: { ...found, input } }) };
}
