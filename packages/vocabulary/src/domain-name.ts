import { domainToASCII } from 'node:url';

const LDH_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const PLAIN_ASCII = /^[a-z0-9._-]*$/;

/**
 * A domain name in the one form we compare and store: trimmed, without a trailing dot, lower case, A-labels.
 * What cannot be converted keeps its lower-cased text; empty stays empty.
 */
export function normalizeDomain(text: string): string {
  const lower = text.trim().replace(/\.$/, '').toLowerCase();
  if (PLAIN_ASCII.test(lower) || lower.includes('%')) return lower;
  return domainToASCII(lower) || lower;
}

/**
 * True for a normalized name with two or more LDH labels of 1 to 63 characters, 253 in all, whose last label is not
 * all digits (so an IPv4 address is none).
 */
export function isDomainName(name: string): boolean {
  if (name.length > 253) return false;
  const labels = name.split('.');
  return labels.length >= 2 && labels.every((label) => LDH_LABEL.test(label)) && !/^\d+$/.test(labels.at(-1)!);
}
