import { setTimeout as sleep } from 'node:timers/promises';

export interface GateLimits {
  /** At the same time. */
  inFlight: number;
  /**
   * Started in a second, on average; after a pause as many may start at once. Infinity: as many as may be in flight.
   */
  perSecond: number;
  /** Waiting for their turn; further ones are rejected. */
  waiting: number;
}

/** Limits the work in flight and the work started in a second, in the order of arrival. */
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

  /** Runs the work when its turn comes. Returns undefined if too many wait already, except for urgent work. */
  async run<Result>(work: () => Promise<Result>, isUrgent = false): Promise<Result | undefined> {
    if (this.#inFlight >= this.#limits.inFlight) {
      if (this.#queue.length >= this.#limits.waiting && !isUrgent) return undefined;
      await new Promise<void>((resolve) => void (isUrgent ? this.#queue.unshift(resolve) : this.#queue.push(resolve)));
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
