import { canonicalIp, groupsOf } from '@dmarc-ledger/vocabulary';
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
const KEPT = 10_000;
const NETWORK_GROUPS = 4;

/**
 * Counts by source the requests with an invalid key in the last minute. Used for metrics only: every such request gets
 * the same answer, however many there are.
 */
export class FailingSources {
  readonly #failures = new LRUCache<string, number>({ max: KEPT, ttl: MINUTE_MS, noUpdateTTL: true });

  note(address: string): void {
    const source = sourceOf(address);
    this.#failures.set(source, (this.#failures.get(source) ?? 0) + 1);
  }

  /** The number of sources, up to ten thousand, and the count of the busiest one. */
  lastMinute(): { sources: number; worst: number } {
    const counts = [...this.#failures.values()];
    return { sources: counts.length, worst: Math.max(0, ...counts) };
  }
}

/**
 * Returns an IPv4 address, or the 64-bit network of an IPv6 address, which one client usually has as a whole. (RFC
 * 6177)
 */
export function sourceOf(address: string): string {
  const ip = canonicalIp(address);
  if (ip === undefined) return address;
  return ip.includes(':') ? `${groupsOf(ip).slice(0, NETWORK_GROUPS).join(':')}::/64` : ip;
}
