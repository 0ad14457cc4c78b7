import { BlockList, isIPv4 } from 'node:net';
import { canonicalIp } from '@dmarc-ledger/vocabulary';
import { globalIpv6, reachableIpv6, specialIpv4, specialIpv6 } from './special-ranges.ts';

const ipv4 = networks(specialIpv4, 'ipv4');
const inUse = networks(globalIpv6, 'ipv6');
const special = networks(specialIpv6, 'ipv6');
const reachable = networks(reachableIpv6, 'ipv6');

/**
 * True for an address that may be connected to or queried for. Only the plain text of one address is accepted: no
 * octal, hex and short spellings, ports, or zones. A mapped IPv4 address is judged as the IPv4 address. (rules,
 * lookups/public-addresses)
 */
export function isPublicAddress(text: string): boolean {
  const address = canonicalIp(text);
  if (address === undefined) return false;
  if (isIPv4(address)) return !ipv4.check(address, 'ipv4');
  return inUse.check(address, 'ipv6') && (!special.check(address, 'ipv6') || reachable.check(address, 'ipv6'));
}

function networks(ranges: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}
