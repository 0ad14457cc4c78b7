import { present } from '@dmarc-ledger/vocabulary';

/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = [...seed].reduce(
      (hash, letter) => Math.imul(hash ^ present(letter.codePointAt(0)), 16_777_619) >>> 0,
      2_166_136_261,
    );
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(from: readonly T[]): T {
    return present(from[this.below(from.length)]);
  }

  /** True in so many percent of cases. */
  chance(percent: number): boolean {
    return this.next() * 100 < percent;
  }

  /** As many digits, the first not zero. */
  digits(count: number): string {
    return String(1 + this.below(9)) + Array.from({ length: count - 1 }, () => this.below(10)).join('');
  }

  hex(count: number): string {
    return Array.from({ length: count }, () => this.below(16).toString(16)).join('');
  }
}
