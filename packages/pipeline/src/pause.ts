import { setTimeout as sleep } from 'node:timers/promises';

/** How long whoever looks for work waits before looking again: briefly while some comes, longer and longer while none does. */
export class Pause {
  readonly #shortestMs: number;
  readonly #longestMs: number;
  #ms: number;

  constructor(shortestMs: number, longestMs: number) {
    this.#shortestMs = shortestMs;
    this.#longestMs = longestMs;
    this.#ms = shortestMs;
  }

  /** There was some: more may follow soon. */
  foundWork(): void {
    this.#ms = this.#shortestMs;
  }

  /** Resolves after the pause, or at once when the signal ends it. */
  async wait(signal: AbortSignal): Promise<void> {
    const ms = this.#ms;
    this.#ms = Math.min(ms * 2, this.#longestMs);
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  }
}
