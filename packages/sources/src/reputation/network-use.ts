import type { AddressFacts } from './address-facts.ts';

const TOR = /\btor\b/i;
const HOSTING = /\bdata ?cent(er|re)\b|\bhosting\b/i;
const VPN_OR_PROXY = /\bvpn\b|\bprox(y|ies)\b/i;

/** True by the usage type, the reputation service's flag, or a list of Tor exits. (rules, reputation/tor-exits) */
export function isTorExit({ usageType, tor, blocklists }: AddressFacts): boolean {
  return tor === true || TOR.test(usageType ?? '') || blocklists?.hasTorExit === true;
}

export function isHosting({ usageType }: AddressFacts): boolean {
  return HOSTING.test(usageType ?? '');
}

export function isVpnOrProxy({ usageType, abuseCategories }: AddressFacts): boolean {
  return [usageType ?? '', ...(abuseCategories ?? [])].some((text) => VPN_OR_PROXY.test(text));
}
