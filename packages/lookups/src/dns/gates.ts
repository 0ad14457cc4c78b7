import { Gate, type GateLimits } from './gate.ts';

const MAX_IDLE_GATES = 1_000;

/** A gate for each server, or each owner of names. Unused gates are removed, as others choose which these are. */
export class Gates {
  readonly #limits: GateLimits;
  readonly #gates = new Map<string, Gate>();

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  of(key: string): Gate {
    const gate = this.#gates.get(key) ?? new Gate(this.#limits);
    this.#gates.set(key, gate);
    if (this.#gates.size > MAX_IDLE_GATES) this.#forgetIdle(key);
    return gate;
  }

  #forgetIdle(kept: string): void {
    for (const [key, gate] of this.#gates) if (gate.isIdle && key !== kept) this.#gates.delete(key);
  }
}
