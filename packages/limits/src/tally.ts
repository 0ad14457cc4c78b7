import { newId } from '@dmarc-ledger/vocabulary';

/** Identifies a count: a key and a clock hour. */
export interface UsageKey {
  orgId: string;
  keyId: string;
  /** Hours since 1970-01-01 00:00 UTC. */
  hour: number;
}

/** An addition to a count; negative where something was counted twice. */
export interface UsageCount extends UsageKey {
  requests: number;
  /** Answered with 429. */
  rejected: number;
  /** Answered with 500 or above. */
  errors: number;
}

export interface KeyUse {
  orgId: string;
  keyId: string;
  at: Date;
}

/** Counts that are stored together, once, under this id. */
export interface UsageBatch {
  /** A UUID. */
  id: string;
  counts: UsageCount[];
  uses: KeyUse[];
}

/** The most waiting batches; while nothing can be stored, further counts are collected after them. */
const SEALED = 20;

/** The counts of this process that are not stored yet. */
export class Tally {
  #counts = new Map<string, UsageCount>();
  #uses = new Map<string, KeyUse>();
  readonly #sealed = new Map<string, UsageBatch>();

  add({ orgId, keyId, hour }: UsageKey, what: 'requests' | 'rejected' | 'errors', number = 1): void {
    const name = `${hour}:${orgId}:${keyId}`;
    const count = this.#counts.get(name) ?? { orgId, keyId, hour, requests: 0, rejected: 0, errors: 0 };
    count[what] += number;
    this.#counts.set(name, count);
  }

  noteUse({ orgId, keyId }: { orgId: string; keyId: string }, at: Date): void {
    this.#uses.set(`${orgId}:${keyId}`, { orgId, keyId, at });
  }

  /** Returns all that is to be stored. A batch stays the same until it is settled; later counts go to the next. */
  batches(): UsageBatch[] {
    if (this.#counts.size + this.#uses.size > 0 && this.#sealed.size < SEALED) {
      const id = newId();
      this.#sealed.set(id, { id, counts: [...this.#counts.values()], uses: [...this.#uses.values()] });
      this.#counts = new Map();
      this.#uses = new Map();
    }
    return [...this.#sealed.values()];
  }

  /** False if the batch is not from this tally. */
  settle(id: string): boolean {
    return this.#sealed.delete(id);
  }
}
