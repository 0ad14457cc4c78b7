import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Space that no one on the public Internet answers from, and space that leads somewhere else. (reliability, section 6) */
const ipv4Ranges = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/**
 * Among them every range that carries an IPv4 address in it: compatible, mapped, translated (RFC 6052, 8215), Teredo,
 * 6to4. The mapped range is asked apart, for a BlockList takes `::ffff:0:0/96` for all of IPv4.
 */
const ipv6Ranges = [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const;

const refused = new BlockList();
for (const [network, prefix] of ipv4Ranges) refused.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of ipv6Ranges) refused.addSubnet(network, prefix, 'ipv6');

/**
 * True for an address that may be connected to or asked about. Anything but the plain text of one address is none:
 * octal, hex and short spellings, ports, zones. A mapped IPv4 address is judged as the address it stands for.
 */
export function isPublicAddress(text: string): boolean {
  if (isIPv4(text)) return !refused.check(text, 'ipv4');
  return isIPv6(text) && !text.includes('%') && !refused.check(text, 'ipv6');
}
