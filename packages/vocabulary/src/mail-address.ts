import { isDomainName, normalizeDomain, readDomainName } from './domain-name.ts';

const ADDRESS = /^[^\s\p{Cc}\p{Cf}<>(),;:"@]{1,64}@([^\s<>(),;:"@]{1,253})$/u;

/** True for one address, without a name beside it. */
export function isMailAddress(text: string): boolean {
  const domain = ADDRESS.exec(text)?.[1];
  return domain !== undefined && readDomainName(domain) !== undefined;
}

/** True for an address that mail can be sent to over the internet: its domain has two labels or more. */
export function isPublicMailAddress(text: string): boolean {
  const domain = ADDRESS.exec(text)?.[1];
  return domain !== undefined && isDomainName(normalizeDomain(domain));
}

/** An address with its domain in the one form for comparing names; what stands before the domain stays as it is. */
export function normalizeAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + normalizeDomain(address.slice(at));
}

/**
 * An address of our own mailboxes or of a person in the one form for comparing: others write it in any case, and its
 * domain as people write it or with A-labels. (rules, organizations/one-person)
 */
export function comparableAddress(address: string): string {
  return normalizeAddress(address).toLowerCase();
}
