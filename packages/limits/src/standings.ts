import { LRUCache } from 'lru-cache';

const KEPT = 100_000;

/** How an organization stands in a clock hour, as far as this process knows. */
export interface Standing {
  hour: number;
  /** The life of the shared counter that told `seen`; empty when none did. */
  epoch: string;
  /** Requests, as the shared counter or the record told last. */
  seen: number;
  /** Requests that this process has let pass by itself in this hour. */
  local: number;
  /** Of those, how many the shared counter may have counted as well: what it was asked is not answered yet. */
  unsure: number;
  /** Of those, how many are in `seen`. */
  told: number;
}

export function usedOf({ seen, local, told }: Standing): number {
  return seen + local - told;
}

/** Requests that the shared counter is to be told of, with those that it has been. */
export function tellable({ local, unsure }: Standing): number {
  return local - unsure;
}

/** The standings of the organizations that this process has dealt with of late. */
export class Standings {
  readonly #recorded: (orgId: string, hour: number) => Promise<number>;
  readonly #known = new LRUCache<string, Standing>({ max: KEPT });
  readonly #asked = new Map<string, Promise<Standing>>();

  constructor(recorded: (orgId: string, hour: number) => Promise<number>) {
    this.#recorded = recorded;
  }

  /** What is known of the hour; undefined when nothing is. */
  known(orgId: string, hour: number): Standing | undefined {
    const standing = this.latest(orgId);
    return standing?.hour === hour ? standing : undefined;
  }

  /** What is known of the latest hour, whichever it is. */
  latest(orgId: string): Standing | undefined {
    return this.#known.get(orgId);
  }

  set(orgId: string, standing: Standing): void {
    this.#known.set(orgId, standing);
  }

  /** What is known, or on record. */
  async of(orgId: string, hour: number): Promise<Standing> {
    const known = this.known(orgId, hour);
    if (known) return known;
    const name = `${orgId}:${hour}`;
    const asked = this.#asked.get(name) ?? this.#ask(orgId, hour).finally(() => this.#asked.delete(name));
    this.#asked.set(name, asked);
    return await asked;
  }

  /** Those with requests that the shared counter has not been told of. */
  untold(): { orgId: string; standing: Standing }[] {
    return [...this.#known.entries()]
      .filter(([, standing]) => tellable(standing) !== standing.told)
      .map(([orgId, standing]) => ({ orgId, standing }));
  }

  async #ask(orgId: string, hour: number): Promise<Standing> {
    const seen = await this.#recorded(orgId, hour);
    const known = this.known(orgId, hour); // somebody else may have learnt it meanwhile
    if (known) return known;
    const standing = { hour, epoch: '', seen, local: 0, unsure: 0, told: 0 };
    this.#known.set(orgId, standing);
    return standing;
  }
}
