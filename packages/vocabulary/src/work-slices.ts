import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

const SLICE_MS = 10;

/** Cuts long work into slices, so that whatever else the process does is served between them. */
export class WorkSlices {
  #since = performance.now();
  #turns = 0;

  /** How often the work has stood back. */
  get turns(): number {
    return this.#turns;
  }

  /** True when it is time for others. */
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
