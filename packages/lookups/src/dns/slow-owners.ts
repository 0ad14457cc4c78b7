/** An owner counts as slow from a mean of this part of the timeout. */
const SLOW = 1 / 6;
/** The weight of the last question in the mean: one in silence makes an owner slow, two answers end that. */
const WEIGHT = 1 / 4;
const MAX_OWNERS = 10_000;

/** The owners about whose names the last questions took long, by their mean time. */
export class SlowOwners {
  readonly #slowMs: number;
  /** Milliseconds. Those asked about least recently come first. */
  readonly #means = new Map<string, number>();

  constructor(timeoutMs: number) {
    this.#slowMs = timeoutMs * SLOW;
  }

  isSlow(owner: string): boolean {
    return (this.#means.get(owner) ?? 0) > this.#slowMs;
  }

  /** How long a question about a name of the owner took, answered or not. */
  note(owner: string, ms: number): void {
    const before = this.#means.get(owner) ?? 0;
    this.#means.delete(owner);
    this.#means.set(owner, before + (ms - before) * WEIGHT);
    const oldest = this.#means.keys().next().value;
    if (this.#means.size > MAX_OWNERS && oldest !== undefined) this.#means.delete(oldest);
  }
}
