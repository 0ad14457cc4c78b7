import { LRUCache } from 'lru-cache';

const KEPT = 100_000;

/** The usage of an organization in a clock hour, as far as this process knows. */
export interface HourUsage {
  hour: number;
  /** Identifies the shared counter that reported `seen`; empty if none did. */
  counterId: string;
  /** Requests, as last reported by the shared counter or the database. */
  seen: number;
  /** Requests that this process has admitted by itself in this hour. */
  local: number;
  /** How many of those the shared counter may have counted too, because its reply is outstanding. */
  unsure: number;
  /** How many of those are included in `seen`. */
  reported: number;
}

export function usedOf({ seen, local, reported }: HourUsage): number {
  return seen + local - reported;
}

/** Requests to report to the shared counter, including those reported already. */
export function reportable({ local, unsure }: HourUsage): number {
  return local - unsure;
}

/** The usage of the organizations that this process has recently served. */
export class HourUsages {
  readonly #recorded: (orgId: string, hour: number) => Promise<number>;
  readonly #known = new LRUCache<string, HourUsage>({ max: KEPT });
  readonly #asked = new Map<string, Promise<HourUsage>>();

  constructor(recorded: (orgId: string, hour: number) => Promise<number>) {
    this.#recorded = recorded;
  }

  /** The known usage of the hour; undefined if unknown. */
  known(orgId: string, hour: number): HourUsage | undefined {
    const usage = this.latest(orgId);
    return usage?.hour === hour ? usage : undefined;
  }

  /** The known usage of the latest hour. */
  latest(orgId: string): HourUsage | undefined {
    return this.#known.get(orgId);
  }

  set(orgId: string, usage: HourUsage): void {
    this.#known.set(orgId, usage);
  }

  /** The known usage, or the stored one. */
  async of(orgId: string, hour: number): Promise<HourUsage> {
    const known = this.known(orgId, hour);
    if (known) return known;
    const name = `${orgId}:${hour}`;
    const asked = this.#asked.get(name) ?? this.#ask(orgId, hour).finally(() => this.#asked.delete(name));
    this.#asked.set(name, asked);
    return await asked;
  }

  /** The usages with requests that were not reported to the shared counter. */
  unreported(): { orgId: string; usage: HourUsage }[] {
    return [...this.#known.entries()]
      .filter(([, usage]) => reportable(usage) !== usage.reported)
      .map(([orgId, usage]) => ({ orgId, usage }));
  }

  async #ask(orgId: string, hour: number): Promise<HourUsage> {
    const seen = await this.#recorded(orgId, hour);
    const known = this.known(orgId, hour); // another call may have read it meanwhile
    if (known) return known;
    const usage = { hour, counterId: '', seen, local: 0, unsure: 0, reported: 0 };
    this.#known.set(orgId, usage);
    return usage;
  }
}
