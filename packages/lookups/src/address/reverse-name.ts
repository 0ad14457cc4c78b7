import { isIPv4, isIPv6 } from 'node:net';
import { groupsOf } from '@dmarc-ledger/vocabulary';

/** Returns the digits of an address as labels, last first: four octets, or 32 nibbles. Undefined for any other text. */
export function reversedLabels(ip: string): string | undefined {
  if (isIPv4(ip)) return ip.split('.').toReversed().join('.');
  if (!isIPv6(ip) || ip.includes('%')) return undefined;
  return [...groupsOf(ip).join('')].toReversed().join('.');
}

/** Returns the name of an address's PTR records (RFC 1035, 3.5; RFC 3596, 2.5). */
export function reverseName(ip: string): string | undefined {
  const labels = reversedLabels(ip);
  return labels === undefined ? undefined : `${labels}.${isIPv4(ip) ? 'in-addr' : 'ip6'}.arpa`;
}
