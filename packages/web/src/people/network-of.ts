import { canonicalIp, groupsOf } from '@dmarc-ledger/vocabulary';

const NETWORK_GROUPS = 4;

/**
 * An IPv4 address, or the 64-bit network of an IPv6 address, which one client usually has as a whole. What a client has
 * written into `X-Forwarded-For` and is no address counts as one network, whatever it is.
 */
export function networkOf(address: string): string {
  const ip = canonicalIp(address);
  if (ip === undefined) return 'none';
  return ip.includes(':') ? `${groupsOf(ip).slice(0, NETWORK_GROUPS).join(':')}::/64` : ip;
}
