import { MAX_LABEL, MAX_NAME } from './limits.ts';

const LABEL = /^[!-~]+$/;

/**
 * Returns a name as it can be encoded: lower case, labels of 1 to 63 printable ASCII characters, 253 in total.
 * Undefined for any other: the codec would send a different name.
 */
export function encodableName(text: string): string | undefined {
  const name = withoutDot(text).toLowerCase();
  if (name === '' || isTooLong(name)) return undefined;
  return name.split('.').every((label) => LABEL.test(label)) ? name : undefined;
}

/** True for a name longer than any in the DNS: no zone can have it, so nothing stands there. (RFC 1035, 2.3.4) */
export function isTooLong(text: string): boolean {
  const name = withoutDot(text);
  return name.length > MAX_NAME || name.split('.').some((label) => label.length > MAX_LABEL);
}

function withoutDot(text: string): string {
  return text.replace(/\.$/, '');
}

/** Returns a name in random case, which a forger would have to guess (draft-vixie-dnsext-dns0x20). */
export function mixCase(name: string, random: () => number): string {
  return name.replace(/[a-z]/g, (letter) => (random() < 0.5 ? letter.toUpperCase() : letter));
}
