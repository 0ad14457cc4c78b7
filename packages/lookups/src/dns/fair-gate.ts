import { present } from '@dmarc-ledger/vocabulary';

export interface FairGateLimits {
  /** At the same time. */
  inFlight: number;
  /** Waiting for their turn; further ones are rejected. */
  waiting: number;
}

/** The parts of all turns that slow owners have together: at most, and whatever others want. */
const SLOW_TURNS = { most: 1 / 2, least: 1 / 8 };

/** Work of one owner. */
interface Owner {
  key: string;
  inFlight: number;
  /** What waits for its turn; it learns whether that is a turn of slow owners. */
  queue: ((isSlow: boolean) => void)[];
}

/**
 * Limits the work in flight of all owners together. The next turn goes to an owner without any work in flight, then to
 * the others, each in turn: work that takes long delays only that of its own owner. Slow owners share a part of the
 * turns, however many they are.
 */
export class FairGate {
  readonly #limits: FairGateLimits;
  readonly #isSlow: (key: string) => boolean;
  /** Those with work in flight or waiting. */
  readonly #owners = new Map<string, Owner>();
  /** Those that wait: without work in flight, with some, and slow ones. */
  readonly #idle = new Set<Owner>();
  readonly #busy = new Set<Owner>();
  readonly #slow = new Set<Owner>();
  #inFlight = 0;
  #slowInFlight = 0;
  #waiting = 0;

  constructor(limits: FairGateLimits, isSlow: (key: string) => boolean = () => false) {
    this.#limits = limits;
    this.#isSlow = isSlow;
  }

  /** Owners with work in flight or waiting, which memory is used for. */
  get owners(): number {
    return this.#owners.size;
  }

  /** Runs the work when its turn comes. Returns undefined if too many wait already. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result | undefined> {
    const isSlow = this.#isSlow(key);
    const isFull = !this.#hasTurn(isSlow);
    if (isFull && this.#waiting >= this.#limits.waiting) return undefined;
    const owner = this.#owners.get(key) ?? { key, inFlight: 0, queue: [] };
    this.#owners.set(key, owner);
    if (!isFull) this.#begin(owner, isSlow);
    const asSlow = isFull ? await this.#wait(owner) : isSlow;
    try {
      return await work();
    } finally {
      this.#end(owner, asSlow);
    }
  }

  #hasTurn(isSlow: boolean): boolean {
    const { inFlight } = this.#limits;
    return this.#inFlight < inFlight && !(isSlow && this.#slowInFlight >= Math.ceil(inFlight * SLOW_TURNS.most));
  }

  #wait(owner: Owner): Promise<boolean> {
    this.#waiting += 1;
    return new Promise((resolve) => {
      owner.queue.push(resolve);
      this.#place(owner);
    });
  }

  #begin(owner: Owner, isSlow: boolean): void {
    this.#inFlight += 1;
    if (isSlow) this.#slowInFlight += 1;
    owner.inFlight += 1;
  }

  #end(owner: Owner, asSlow: boolean): void {
    this.#inFlight -= 1;
    if (asSlow) this.#slowInFlight -= 1;
    owner.inFlight -= 1;
    this.#place(owner); // it may have become slow
    for (let next = this.#next(); next; next = this.#next()) this.#resume(next);
  }

  #resume(next: Owner): void {
    const resume = present(next.queue.shift());
    const isSlow = this.#slow.has(next);
    this.#waiting -= 1;
    this.#begin(next, isSlow);
    this.#leave(next); // behind the others, where it waits for more
    this.#place(next);
    resume(isSlow);
  }

  /** The owner whose turn is next, if there is one for it. */
  #next(): Owner | undefined {
    const [slow] = this.#hasTurn(true) ? this.#slow : [];
    if (slow && this.#slowInFlight < Math.floor(this.#limits.inFlight * SLOW_TURNS.least)) return slow;
    const [first] = this.#idle.size > 0 ? this.#idle : this.#busy;
    return this.#hasTurn(false) ? (first ?? slow) : undefined;
  }

  /** Puts an owner where it belongs. One that waits there already keeps its place. */
  #place(owner: Owner): void {
    const isWaiting = owner.queue.length > 0;
    if (!isWaiting && owner.inFlight === 0) this.#owners.delete(owner.key);
    if (!isWaiting) return;
    const here = this.#isSlow(owner.key) ? this.#slow : owner.inFlight === 0 ? this.#idle : this.#busy;
    if (!here.has(owner)) this.#leave(owner);
    here.add(owner);
  }

  #leave(owner: Owner): void {
    for (const waiting of [this.#idle, this.#busy, this.#slow]) waiting.delete(owner);
  }
}
