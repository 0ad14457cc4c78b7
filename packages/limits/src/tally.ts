import { newId } from '@dmarc-ledger/vocabulary';

/** Whose count, and of which clock hour. */
export interface UsageKey {
  orgId: string;
  keyId: string;
  /** Hours since the counterId, UTC. */
  hour: number;
}

/** What is added to a count; negative where something was counted twice. */
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

/** Counts that are written down together, once, under this id. */
export interface UsageBatch {
  /** A UUID. */
  id: string;
  counts: UsageCount[];
  uses: KeyUse[];
}

/** Batches that wait at most; what is counted while nothing can be written gathers behind them. */
const SEALED = 20;

/** What this process has counted and nobody has written down yet. */
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
    this.#uses.set(keyId, { orgId, keyId, at });
  }

  /**
   * All that is to be written. A batch stays the same until it is settled; what is counted meanwhile goes to the next.
   */
  batches(): UsageBatch[] {
    if (this.#counts.size + this.#uses.size > 0 && this.#sealed.size < SEALED) {
      const id = newId();
      this.#sealed.set(id, { id, counts: [...this.#counts.values()], uses: [...this.#uses.values()] });
      this.#counts = new Map();
      this.#uses = new Map();
    }
    return [...this.#sealed.values()];
  }

  /** False when the batch is none of ours. */
  settle(id: string): boolean {
    return this.#sealed.delete(id);
  }
}
