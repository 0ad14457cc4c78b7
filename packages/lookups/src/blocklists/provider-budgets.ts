import { Gate } from '../dns/gate.ts';

const LOOKUPS_PER_SECOND = 20;
const IN_FLIGHT = 20;
const WAITING = 5_000;

/**
 * Limits the lookups in a second for each provider, whatever the number of its zones. (rules,
 * reputation/provider-budgets)
 */
export class ProviderBudgets {
  readonly #gates = new Map<string, Gate>();
  readonly #perSecond: number;

  constructor(perSecond: number = LOOKUPS_PER_SECOND) {
    this.#perSecond = perSecond;
  }

  /**
   * Runs the work when its turn comes, urgent work before all that waits. Returns undefined if too much waits for this
   * provider already.
   */
  async run<Result>(zone: string, work: () => Promise<Result>, isUrgent = false): Promise<Result | undefined> {
    const provider = providerOf(zone);
    const limits = { inFlight: IN_FLIGHT, perSecond: this.#perSecond, waiting: WAITING };
    const gate = this.#gates.get(provider) ?? new Gate(limits);
    this.#gates.set(provider, gate);
    return await gate.run(work, isUrgent);
  }
}

/**
 * The last two labels of a zone's name: `dnsbl-1.uceprotect.net` and `dnsbl-2.uceprotect.net` belong to one provider.
 */
export function providerOf(zone: string): string {
  return zone.split('.').slice(-2).join('.');
}
