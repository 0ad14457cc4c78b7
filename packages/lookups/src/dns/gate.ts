import { setTimeout as sleep } from 'node:timers/promises';

export interface GateLimits {
  /** At the same time. */
  inFlight: number;
  /** Begun in a second, on average; as many may begin at once after a rest. Infinity: as many as may be in flight. */
  perSecond: number;
  /** Waiting for their turn; more are turned away. */
  waiting: number;
}

/** Lets so many through at a time and so many in a second, in the order in which they came. */
export class Gate {
  readonly #limits: GateLimits;
  readonly #queue: (() => void)[] = [];
  #inFlight = 0;
  #nextMs = 0;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#nextMs <= performance.now();
  }

  /** Does the work when its turn comes. Undefined: too many wait already. */
  async run<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#inFlight >= this.#limits.inFlight) {
      if (this.#queue.length >= this.#limits.waiting) return undefined;
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    } else {
      this.#inFlight += 1;
    }
    try {
      await this.#pace();
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#inFlight -= 1;
    }
  }

  async #pace(): Promise<void> {
    const { perSecond } = this.#limits;
    if (perSecond === Infinity) return;
    const now = performance.now();
    this.#nextMs = Math.max(this.#nextMs, now - 1_000) + 1_000 / perSecond;
    if (this.#nextMs > now) await sleep(this.#nextMs - now);
  }
}
