/** How work that is repeated for the same subject is spaced. Times are milliseconds. */
interface Spacing {
  /** Work that takes less may be repeated at once. */
  freeMs?: number;
  /** Other work is repeated after so many times what it took, so that it takes no more than that share of a process. */
  times?: number;
  mostMs?: number;
  /** A clock that never goes back. */
  now?: () => number;
}

const KEPT = 10_000;

/**
 * Spaces the repetitions of expensive work in this process. What is not due is left undone: its rows stay, and the
 * sweep announces it again, so that no change is lost and many changes are one repetition. (rules,
 * classification/signatures-that-have-passed)
 */
export class Pace {
  readonly #spacing: Required<Spacing>;
  /** When the work may be repeated, by subject; only of expensive work. */
  readonly #dueAt = new Map<string, number>();

  constructor({ freeMs = 2_000, times = 30, mostMs = 600_000, now = () => performance.now() }: Spacing = {}) {
    this.#spacing = { freeMs, times, mostMs, now };
  }

  now(): number {
    return this.#spacing.now();
  }

  isDue(subject: string): boolean {
    const dueAt = this.#dueAt.get(subject);
    if (dueAt === undefined) return true;
    if (this.now() < dueAt) return false;
    this.#dueAt.delete(subject);
    return true;
  }

  /** Records that work for this subject has just ended, and how long it took. */
  ended(subject: string, tookMs: number): void {
    const { freeMs, times, mostMs } = this.#spacing;
    this.#dueAt.delete(subject);
    if (tookMs < freeMs) return;
    this.#dueAt.set(subject, this.now() + Math.min(mostMs, tookMs * times));
    const [oldest] = this.#dueAt.keys();
    if (this.#dueAt.size > KEPT && oldest !== undefined) this.#dueAt.delete(oldest);
  }
}
