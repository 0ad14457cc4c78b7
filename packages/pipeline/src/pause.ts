/**
 * How long a loop that looks for work waits before it looks again: briefly while it finds some, longer and longer while
 * it finds none.
 */
export class Pause {
  readonly #shortestMs: number;
  readonly #longestMs: number;
  #ms: number;

  constructor(shortestMs: number, longestMs: number) {
    this.#shortestMs = shortestMs;
    this.#longestMs = longestMs;
    this.#ms = shortestMs;
  }

  /** Work was found: more may follow soon. */
  foundWork(): void {
    this.#ms = this.#shortestMs;
  }

  /** The milliseconds to wait now. */
  next(): number {
    const ms = this.#ms;
    this.#ms = Math.min(ms * 2, this.#longestMs);
    return ms;
  }
}
