import type { DnsFact } from './dns-fact.ts';
import { factWeight } from './fact-weight.ts';
import { CACHE_BYTES, FAILURE_TTL, NEGATIVE_TTL, POSITIVE_TTL } from './limits.ts';

interface Entry {
  fact: DnsFact;
  freshUntilMs: number;
  /** Consecutive failures: each doubles the time until the next attempt. */
  failures: number;
  weight: number;
}

/** Outcomes that say nothing about the name: retried at the next request. */
const PASSING = new Set(['invalid_name', 'forbidden_server', 'overloaded', 'aborted']);

/** Outcomes that a server reports itself. */
const SAID = new Set(['answer', 'nodata', 'nxdomain', 'referral', 'alias']);

/** Caches facts by question, as long as they are valid. Bounded in number and bytes: evicts the least recently used. */
export class FactCache {
  readonly #entries = new Map<string, Entry>();
  readonly #capacity: number;
  readonly #now: () => number;
  #weight = 0;

  constructor(capacity: number, now: () => number) {
    this.#capacity = capacity;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): DnsFact | undefined {
    const entry = this.#entries.get(key);
    if (!entry || entry.freshUntilMs <= this.#now()) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.fact;
  }

  set(key: string, fact: DnsFact): void {
    if (PASSING.has(fact.outcome) || this.#capacity === 0) return;
    const before = this.#entries.get(key)?.failures ?? 0;
    const seconds = secondsFor(fact, before);
    const failures = isFailure(fact) ? before + 1 : 0;
    const weight = factWeight(fact);
    this.#remove(key);
    this.#entries.set(key, { fact, freshUntilMs: this.#now() + seconds * 1_000, failures, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#capacity && this.#weight <= CACHE_BYTES) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}

/** How long a fact is valid, after this many consecutive failures. */
export function secondsFor(fact: DnsFact, failuresBefore: number): number {
  if (fact.outcome === 'answer' || fact.outcome === 'alias')
    return Math.min(Math.max(fact.ttl, POSITIVE_TTL.least), POSITIVE_TTL.most);
  if (fact.outcome === 'nodata' || fact.outcome === 'nxdomain')
    return Math.min(fact.ttl ?? NEGATIVE_TTL.unknown, NEGATIVE_TTL.most);
  if (fact.outcome === 'referral') return POSITIVE_TTL.least;
  return Math.min(FAILURE_TTL.first * 2 ** Math.min(failuresBefore, 10), FAILURE_TTL.most);
}

function isFailure({ outcome }: DnsFact): boolean {
  return !SAID.has(outcome);
}
