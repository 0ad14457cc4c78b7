import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

const SLICE_MS = 10;

/** Cuts long work into slices, so that the process can do other work between them. */
export class WorkSlices {
  #since = performance.now();
  #turns = 0;

  /** How often the work has paused. */
  get turns(): number {
    return this.#turns;
  }

  /** True if the slice is over. */
  get isOver(): boolean {
    return performance.now() - this.#since >= SLICE_MS;
  }

  /** To be awaited between two steps: lets the event loop turn once when the slice is over. */
  async pause(): Promise<void> {
    if (!this.isOver) return;
    this.#turns += 1;
    await turnOfTheLoop();
    this.#since = performance.now();
  }
}
