import { present } from '@dmarc-ledger/vocabulary';

/** Caches expensive response bodies while their version is unchanged, and no longer than a fixed time. */
export class AnswerCache<Body> {
  readonly #keptMs: number;
  readonly #kept = new Map<string, { version: string; body: Promise<Body>; until: number }>();

  /** @param keptMs 0: only concurrent requests share a body. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /**
   * Returns the body for this key and version. Concurrent callers wait for the same computation; a failed one is not
   * kept.
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

  /** Evicts the oldest entry when the cache is full. */
  #put(key: string, entry: { version: string; body: Promise<Body>; until: number }): void {
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    if (this.#kept.size <= MOST) return;
    const [oldest] = this.#kept.keys();
    this.#kept.delete(present(oldest));
  }
}

const MOST = 1_000;
