import { canonicalIp, groupsOf } from '@dmarc-ledger/vocabulary';
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
const KEPT = 10_000;
const NETWORK_GROUPS = 4;

/**
 * Where keys that open nothing have come from within the last minute. For figures alone: every such request is answered
 * in the same way, however many there were.
 */
export class FailingSources {
  readonly #failures = new LRUCache<string, number>({ max: KEPT, ttl: MINUTE_MS, noUpdateTTL: true });

  note(address: string): void {
    const source = sourceOf(address);
    this.#failures.set(source, (this.#failures.get(source) ?? 0) + 1);
  }

  /** How many sources, of at most ten thousand, and how often the busiest one. */
  lastMinute(): { sources: number; worst: number } {
    const counts = [...this.#failures.values()];
    return { sources: counts.length, worst: Math.max(0, ...counts) };
  }
}

/** An IPv4 address, or the network of 64 bits that an IPv6 address is in: whoever has one has all of it. (RFC 6177) */
export function sourceOf(address: string): string {
  const ip = canonicalIp(address);
  if (ip === undefined) return address;
  return ip.includes(':') ? `${groupsOf(ip).slice(0, NETWORK_GROUPS).join(':')}::/64` : ip;
}
