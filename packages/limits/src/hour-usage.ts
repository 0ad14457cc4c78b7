import { LRUCache } from 'lru-cache';

const KEPT = 100_000;

/** What an organization has used in a clock hour, as far as this process knows. */
export interface HourUsage {
  hour: number;
  /** Identifies the shared counter that reported `seen`; empty when none did. */
  counterId: string;
  /** Requests, as the shared counter or the record reported last. */
  seen: number;
  /** Requests that this process has let pass by itself in this hour. */
  local: number;
  /** Of those, how many the shared counter may have counted as well: what it was asked is not answered yet. */
  unsure: number;
  /** Of those, how many are in `seen`. */
  reported: number;
}

export function usedOf({ seen, local, reported }: HourUsage): number {
  return seen + local - reported;
}

/** Requests to report to the shared counter, including those reported already. */
export function reportable({ local, unsure }: HourUsage): number {
  return local - unsure;
}

/** The usage of the organizations that this process has served lately. */
export class HourUsages {
  readonly #recorded: (orgId: string, hour: number) => Promise<number>;
  readonly #known = new LRUCache<string, HourUsage>({ max: KEPT });
  readonly #asked = new Map<string, Promise<HourUsage>>();

  constructor(recorded: (orgId: string, hour: number) => Promise<number>) {
    this.#recorded = recorded;
  }

  /** What is known of the hour; undefined when nothing is. */
  known(orgId: string, hour: number): HourUsage | undefined {
    const usage = this.latest(orgId);
    return usage?.hour === hour ? usage : undefined;
  }

  /** What is known of the latest hour, whichever it is. */
  latest(orgId: string): HourUsage | undefined {
    return this.#known.get(orgId);
  }

  set(orgId: string, usage: HourUsage): void {
    this.#known.set(orgId, usage);
  }

  /** What is known, or on record. */
  async of(orgId: string, hour: number): Promise<HourUsage> {
    const known = this.known(orgId, hour);
    if (known) return known;
    const name = `${orgId}:${hour}`;
    const asked = this.#asked.get(name) ?? this.#ask(orgId, hour).finally(() => this.#asked.delete(name));
    this.#asked.set(name, asked);
    return await asked;
  }

  /** Those with requests that the shared counter has not been reported of. */
  unreported(): { orgId: string; usage: HourUsage }[] {
    return [...this.#known.entries()]
      .filter(([, usage]) => reportable(usage) !== usage.reported)
      .map(([orgId, usage]) => ({ orgId, usage }));
  }

  async #ask(orgId: string, hour: number): Promise<HourUsage> {
    const seen = await this.#recorded(orgId, hour);
    const known = this.known(orgId, hour); // somebody else may have learnt it meanwhile
    if (known) return known;
    const usage = { hour, counterId: '', seen, local: 0, unsure: 0, reported: 0 };
    this.#known.set(orgId, usage);
    return usage;
  }
}
