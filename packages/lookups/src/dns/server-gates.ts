import { Gate, type GateLimits } from './gate.ts';

const MAX_IDLE_GATES = 1_000;

/** A gate for each server. Gates of unused servers are removed, as others choose which servers we query. */
export class ServerGates {
  readonly #limits: GateLimits;
  readonly #gates = new Map<string, Gate>();

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  of(address: string): Gate {
    const gate = this.#gates.get(address) ?? new Gate(this.#limits);
    this.#gates.set(address, gate);
    if (this.#gates.size > MAX_IDLE_GATES) this.#forgetIdle(address);
    return gate;
  }

  #forgetIdle(kept: string): void {
    for (const [address, gate] of this.#gates) if (gate.isIdle && address !== kept) this.#gates.delete(address);
  }
}
