const DEFAULT_SEED = 562_935;

/**
 * The seed of generated input: the variable SEED, else the same in each run, so that a run of the same code has the
 * same result. `npm run soak` and `npm run fuzz` draw another each time.
 */
export function testSeed(): number {
  return Number(process.env['SEED'] ?? DEFAULT_SEED);
}

/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** True in this share (0 to 1) of cases. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** An entry of a list that has at least one. */
  pick<Entry>(list: readonly Entry[]): Entry {
    return list[this.below(list.length)] as Entry;
  }

  shuffled<Entry>(list: readonly Entry[]): Entry[] {
    const left = [...list];
    return list.flatMap(() => left.splice(this.below(left.length), 1));
  }
}
