import { present } from '@dmarc-ledger/vocabulary';

export interface FairGateLimits {
  /** At the same time. */
  inFlight: number;
  /** Waiting for their turn; further ones are rejected. */
  waiting: number;
}

/** Work of one owner. */
interface Owner {
  key: string;
  inFlight: number;
  queue: (() => void)[];
}

/**
 * Limits the work in flight of all owners together. The next turn goes to an owner without any work in flight, then to
 * the others, each in turn: work that takes long delays only that of its own owner.
 */
export class FairGate {
  readonly #limits: FairGateLimits;
  /** Those with work in flight or waiting. */
  readonly #owners = new Map<string, Owner>();
  /** Those that wait: without work in flight, and with some. */
  readonly #idle = new Set<Owner>();
  readonly #busy = new Set<Owner>();
  #inFlight = 0;
  #waiting = 0;

  constructor(limits: FairGateLimits) {
    this.#limits = limits;
  }

  /** Owners with work in flight or waiting, which memory is used for. */
  get owners(): number {
    return this.#owners.size;
  }

  /** Runs the work when its turn comes. Returns undefined if too many wait already. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result | undefined> {
    const isFull = this.#inFlight >= this.#limits.inFlight;
    if (isFull && this.#waiting >= this.#limits.waiting) return undefined;
    const owner = this.#owners.get(key) ?? { key, inFlight: 0, queue: [] };
    this.#owners.set(key, owner);
    if (isFull) await this.#wait(owner);
    else this.#begin(owner);
    try {
      return await work();
    } finally {
      this.#end(owner);
    }
  }

  async #wait(owner: Owner): Promise<void> {
    this.#waiting += 1;
    await new Promise<void>((resolve) => {
      owner.queue.push(resolve);
      this.#place(owner);
    });
  }

  #begin(owner: Owner): void {
    this.#inFlight += 1;
    owner.inFlight += 1;
  }

  #end(owner: Owner): void {
    this.#inFlight -= 1;
    owner.inFlight -= 1;
    if (owner.inFlight === 0) this.#place(owner);
    const [next] = this.#idle.size > 0 ? this.#idle : this.#busy;
    if (!next) return;
    const resume = present(next.queue.shift());
    this.#waiting -= 1;
    this.#begin(next);
    this.#idle.delete(next);
    this.#busy.delete(next); // behind the others, where it waits for more
    this.#place(next);
    resume();
  }

  /** Puts an owner where it belongs. One that waits there already keeps its place. */
  #place(owner: Owner): void {
    const isWaiting = owner.queue.length > 0;
    if (!isWaiting && owner.inFlight === 0) this.#owners.delete(owner.key);
    if (!isWaiting) return;
    const [here, there] = owner.inFlight === 0 ? [this.#idle, this.#busy] : [this.#busy, this.#idle];
    there.delete(owner);
    here.add(owner);
  }
}
