import { findKeyHolder, type KeyHolder } from '@dmarc-ledger/ledger/for-api';
import type { Db } from '@dmarc-ledger/schema';
import { LRUCache } from 'lru-cache';

const REMEMBERED_MS = 10_000;
const KEYS_REMEMBERED = 10_000;

interface Remembered {
  holder: Promise<KeyHolder | undefined>;
}

/** Caches the holders of keys for a short time, including that a key is unknown. */
export class KeyCache {
  readonly #db: Db;
  readonly #byPrefix = new LRUCache<string, Remembered>({ max: KEYS_REMEMBERED, ttl: REMEMBERED_MS });

  constructor(db: Db) {
    this.#db = db;
  }

  async find(prefix: string): Promise<KeyHolder | undefined> {
    const known = this.#byPrefix.get(prefix);
    if (known) return await known.holder;
    const asked: Remembered = { holder: findKeyHolder(this.#db, prefix) };
    this.#byPrefix.set(prefix, asked);
    try {
      return await asked.holder;
    } catch (error) {
      if (this.#byPrefix.peek(prefix) === asked) this.#byPrefix.delete(prefix);
      throw error;
    }
  }

  /** To be called after a change of keys, owners, plans or organizations. */
  forget(): void {
    this.#byPrefix.clear();
  }
}
