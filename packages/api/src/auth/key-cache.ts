import { findKeyHolder, type KeyHolder } from '@dmarc-ledger/ledger/for-api';
import type { Db } from '@dmarc-ledger/schema';
import { LRUCache } from 'lru-cache';

const REMEMBERED_MS = 10_000;
const KEYS_REMEMBERED = 10_000;

interface Remembered {
  holder: Promise<KeyHolder | undefined>;
}

/** Who holds which key, asked of the database once in a while; also that nobody does. */
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

  /** After a change of keys, owners, plans or organizations. */
  forget(): void {
    this.#byPrefix.clear();
  }
}
