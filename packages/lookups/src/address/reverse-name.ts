import { isIPv4, isIPv6 } from 'node:net';

/** The digits of an address as labels, last first: four octets, or 32 nibbles. Undefined for what is no address. */
export function reversedLabels(ip: string): string | undefined {
  if (isIPv4(ip)) return ip.split('.').toReversed().join('.');
  if (!isIPv6(ip) || ip.includes('%')) return undefined;
  return [...groupsOf(ip).join('')].toReversed().join('.');
}

/** The name that an address's PTR records stand at (RFC 1035, 3.5; RFC 3596, 2.5). */
export function reverseName(ip: string): string | undefined {
  const labels = reversedLabels(ip);
  return labels === undefined ? undefined : `${labels}.${isIPv4(ip) ? 'in-addr' : 'ip6'}.arpa`;
}

/** The eight groups of an IPv6 address, four hex digits each. */
function groupsOf(ip: string): string[] {
  const [head = '', tail] = dotsAsGroups(ip.toLowerCase()).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].map((group) => group.padStart(4, '0'));
}

/** `::ffff:192.0.2.1` ends in the four octets of an IPv4 address: two groups. */
function dotsAsGroups(ip: string): string {
  return ip.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => `${pair(a, b)}:${pair(c, d)}`);
}

function pair(high: string, low: string): string {
  return ((Number(high) << 8) | Number(low)).toString(16);
}
