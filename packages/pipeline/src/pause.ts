/**
 * How long a loop that looks for work waits before it looks again: briefly while some comes, longer and longer while
 * none does.
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

  /** There was some: more may follow soon. */
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
