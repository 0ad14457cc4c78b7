/** As pg's pool says it: callers know it as a failure that may not come again. */
export const LATE = 'timeout exceeded when trying to connect';

type Proceed = () => void;

/**
 * Lets so many callers proceed at once. The others wait, and organizations take turns: however many calls of one wait,
 * a call of another is the next but one. While no other waits, one may have all.
 */
export class FairTurns {
  readonly #waitMs: number;
  #free: number;
  /** The first is the next. */
  readonly #waiting = new Map<string, Set<Proceed>>();

  constructor(atOnce: number, waitMs: number) {
    this.#free = atOnce;
    this.#waitMs = waitMs;
  }

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Resolves when it is the caller's turn, which lasts until `leave`; throws when that takes too long. Returns whether
   * the caller had to wait.
   */
  async take(orgId: string): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return false;
    }
    await new Promise<void>((resolve, reject) => {
      const proceed = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#remove(orgId, proceed);
        reject(new Error(LATE));
      }, this.#waitMs);
      this.#waiting.set(orgId, (this.#waiting.get(orgId) ?? new Set<Proceed>()).add(proceed));
    });
    return true;
  }

  leave(): void {
    for (const [orgId, [proceed]] of this.#waiting) {
      if (!proceed) continue;
      const others = this.#remove(orgId, proceed);
      this.#waiting.delete(orgId);
      if (others.size > 0) this.#waiting.set(orgId, others); // behind all others
      return proceed();
    }
    this.#free += 1;
  }

  #remove(orgId: string, proceed: Proceed): Set<Proceed> {
    const own = this.#waiting.get(orgId) ?? new Set<Proceed>();
    own.delete(proceed);
    if (own.size === 0) this.#waiting.delete(orgId);
    return own;
  }
}
