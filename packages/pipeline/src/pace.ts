/** How work that is repeated for the same subject is spaced. Times are milliseconds. */
interface Spacing {
  /** Work that takes less does not count. */
  freeMs?: number;
  /** So much work is done without a pause, as when many reports arrive for the first time. */
  burstMs?: number;
  /** The share of a process that the work may take from then on. */
  share?: number;
  /** The longest pause. */
  longestMs?: number;
  /** A clock that never goes back. */
  now?: () => number;
}

/** The work that was done for a subject and that pauses have not made up for, at a time. */
interface Owed {
  ms: number;
  at: number;
}

const KEPT = 10_000;

/**
 * Spaces the repetitions of expensive work in this process. What is not due is left undone: its rows stay, and the
 * sweep announces it again, so that no change is lost and many changes are one repetition. (rules,
 * classification/signatures-that-have-passed)
 */
export class Pace {
  readonly #spacing: Required<Spacing>;
  readonly #owed = new Map<string, Owed>();

  constructor({
    freeMs = 1_000,
    burstMs = 60_000,
    share = 0.1,
    longestMs = 600_000,
    now = () => performance.now(),
  }: Spacing = {}) {
    this.#spacing = { freeMs, burstMs, share, longestMs, now };
  }

  now(): number {
    return this.#spacing.now();
  }

  isDue(subject: string): boolean {
    return this.#owedNow(subject) <= this.#spacing.burstMs;
  }

  /** Records that work for this subject has just ended, and how long it took. */
  ended(subject: string, tookMs: number): void {
    const { freeMs, burstMs, share, longestMs } = this.#spacing;
    if (tookMs < freeMs) return;
    const ms = Math.min(this.#owedNow(subject) + tookMs, burstMs + longestMs * share);
    this.#owed.delete(subject);
    this.#owed.set(subject, { ms, at: this.now() });
    const [oldest] = this.#owed.keys();
    if (this.#owed.size > KEPT && oldest !== undefined) this.#owed.delete(oldest);
  }

  #owedNow(subject: string): number {
    const owed = this.#owed.get(subject);
    if (!owed) return 0;
    return Math.max(0, owed.ms - (this.now() - owed.at) * this.#spacing.share);
  }
}
