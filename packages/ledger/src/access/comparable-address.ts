import { normalizeDomain } from '@dmarc-ledger/vocabulary';

/**
 * Our own addresses in the one form for storing and comparing: others write them in any case, and the domain as people
 * write it or with A-labels. (rules, domain-checks/our-addresses)
 */
export function comparableAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at).toLowerCase() + normalizeDomain(address.slice(at));
}
