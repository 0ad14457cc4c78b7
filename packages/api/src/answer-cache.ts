import { serialize } from 'node:v8';
import { present } from '@dmarc-ledger/vocabulary';

const MOST = 1_000;
/** Bytes of all bodies of a cache. An API process has ten caches, and in the chart a limit of 512 MiB of memory. */
const MOST_BYTES = 16 * 1_048_576;

interface Entry<Body> {
  version: string;
  body: Promise<Body>;
  /** The time until which it is used, in milliseconds since 1970; it is later than any while the body is computed. */
  until: number;
  /** The time until which it is used though the version has changed: see `patience`. */
  patientUntil: number;
  /** The size of the body; 0 while it is computed. */
  bytes: number;
}

interface Limits<Body> {
  /** How many bodies are kept. */
  most?: number;
  /** How many bytes of them; one body is kept however large it is. */
  bytes?: number;
  /**
   * How long a body of an older version is used, as a multiple of the time that it took to compute: computing it then
   * takes no more than that share of a process, however often the version changes. 0: not at all.
   */
  patience?: number;
  /** Whether a body holds as long as its version; another is shared by concurrent requests alone. */
  isFinal?: (body: Body) => boolean;
}

/** Caches expensive response bodies while their version is unchanged, and no longer than a fixed time. */
export class AnswerCache<Body> {
  readonly #keptMs: number;
  readonly #most: number;
  readonly #mostBytes: number;
  readonly #patience: number;
  readonly #isFinal: (body: Body) => boolean;
  #bytes = 0;
  readonly #kept = new Map<string, Entry<Body>>();

  /**
   * @param keptMs 0: only concurrent requests share a body.
   * @param limits beyond which the oldest bodies go
   */
  constructor(
    keptMs: number,
    { most = MOST, bytes = MOST_BYTES, patience = 0, isFinal = () => true }: Limits<Body> = {},
  ) {
    this.#keptMs = keptMs;
    this.#most = most;
    this.#mostBytes = bytes;
    this.#patience = patience;
    this.#isFinal = isFinal;
  }

  /** The bytes of all bodies that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Returns the body for this key and version. Concurrent callers wait for the same computation; a failed one is not
   * kept.
   */
  async get(key: string, version: string, nowMs: number, make: () => Promise<Body>): Promise<Body> {
    const known = this.#kept.get(key);
    if (known && nowMs < (known.version === version ? known.until : known.patientUntil)) return await known.body;
    this.#removeExpired(nowMs);
    const begun = performance.now();
    const body = make();
    const entry = { version, body, until: Infinity, patientUntil: 0, bytes: 0 };
    this.#remove(key);
    this.#kept.set(key, entry);
    this.#removeOldest();
    try {
      const made = await body;
      entry.patientUntil = nowMs + Math.min(this.#keptMs, (performance.now() - begun) * this.#patience);
      this.#finish(key, entry, made, nowMs);
      return made;
    } catch (error) {
      if (this.#kept.get(key) === entry) this.#remove(key);
      throw error;
    }
  }

  /** Weighs a computed body, unless another has taken its place. */
  #finish(key: string, entry: Entry<Body>, made: Body, nowMs: number): void {
    if (this.#kept.get(key) !== entry) return;
    if (this.#keptMs === 0 || !this.#isFinal(made)) return this.#remove(key);
    entry.until = nowMs + this.#keptMs;
    entry.bytes = serialize(made).byteLength;
    this.#bytes += entry.bytes;
    this.#removeOldest();
  }

  /** All are kept equally long, so the expired ones stand first, but for those that took long to compute. */
  #removeExpired(nowMs: number): void {
    for (const [key, { until }] of this.#kept) {
      if (until > nowMs) return;
      this.#remove(key);
    }
  }

  #removeOldest(): void {
    while (this.#kept.size > this.#most || (this.#bytes > this.#mostBytes && this.#kept.size > 1)) {
      const [oldest] = this.#kept.keys();
      this.#remove(present(oldest));
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}
