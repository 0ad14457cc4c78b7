import { present } from '@dmarc-ledger/vocabulary';

/** Answers that are caches to make, kept while nothing has changed that they tell, and never longer than their time. */
export class AnswerCache<Body> {
  readonly #keptMs: number;
  readonly #kept = new Map<string, { version: string; body: Promise<Body>; until: number }>();

  /** @param keptMs 0: only those who ask at the same time share an answer. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /**
   * The answer for this key as of this version. Whoever comes while it is being made waits for the same one; one that
   * fails is made anew for the next.
   */
  async get(key: string, version: string, nowMs: number, make: () => Promise<Body>): Promise<Body> {
    const known = this.#kept.get(key);
    if (known?.version === version && nowMs < known.until) return await known.body;
    const body = make();
    const entry = { version, body, until: Infinity };
    this.#put(key, entry);
    try {
      const made = await body;
      entry.until = nowMs + this.#keptMs;
      return made;
    } catch (error) {
      if (this.#kept.get(key) === entry) this.#kept.delete(key);
      throw error;
    }
  }

  /** The oldest goes when there are many. */
  #put(key: string, entry: { version: string; body: Promise<Body>; until: number }): void {
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    if (this.#kept.size <= MOST) return;
    const [oldest] = this.#kept.keys();
    this.#kept.delete(present(oldest));
  }
}

const MOST = 1_000;
