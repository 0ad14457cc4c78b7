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

/**
 * The usage of the organizations that this process has recently served, by the hour: at its turn, requests of both are
 * decided beside each other.
 */
export class HourUsages {
  readonly #recorded: (orgId: string, hour: number) => Promise<number>;
  readonly #known = new LRUCache<string, HourUsage>({ max: KEPT });
  readonly #latest = new LRUCache<string, HourUsage>({ max: KEPT });
  readonly #asked = new Map<string, Promise<HourUsage>>();

  constructor(recorded: (orgId: string, hour: number) => Promise<number>) {
    this.#recorded = recorded;
  }

  /** The known usage of the hour; undefined if unknown. */
  known(orgId: string, hour: number): HourUsage | undefined {
    return this.#known.get(nameOf(orgId, hour));
  }

  /** The usage that was asked for last. */
  latest(orgId: string): HourUsage | undefined {
    return this.#latest.get(orgId);
  }

  set(orgId: string, usage: HourUsage): void {
    this.#known.set(nameOf(orgId, usage.hour), usage);
    this.#latest.set(orgId, usage);
  }

  /** The known usage, or the stored one. */
  async of(orgId: string, hour: number): Promise<HourUsage> {
    const usage = this.known(orgId, hour) ?? (await this.#askOnce(orgId, hour));
    this.#latest.set(orgId, usage);
    return usage;
  }

  /** The usages with requests that were not reported to the shared counter. */
  unreported(): { orgId: string; usage: HourUsage }[] {
    return [...this.#latest.entries()]
      .filter(([, usage]) => reportable(usage) !== usage.reported)
      .map(([orgId, usage]) => ({ orgId, usage }));
  }

  /** Concurrent requests share a question. */
  async #askOnce(orgId: string, hour: number): Promise<HourUsage> {
    const name = nameOf(orgId, hour);
    const asked = this.#asked.get(name) ?? this.#ask(orgId, hour).finally(() => this.#asked.delete(name));
    this.#asked.set(name, asked);
    return await asked;
  }

  async #ask(orgId: string, hour: number): Promise<HourUsage> {
    const seen = await this.#recorded(orgId, hour);
    const known = this.known(orgId, hour); // another call may have read it meanwhile
    if (known) return known;
    const usage = { hour, counterId: '', seen, local: 0, unsure: 0, reported: 0 };
    this.set(orgId, usage);
    return usage;
  }
}

function nameOf(orgId: string, hour: number): string {
  return `${orgId}:${hour}`;
}
