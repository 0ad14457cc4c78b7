import { MAX_LABEL, MAX_NAME } from './limits.ts';

const LABEL = /^[!-~]+$/;

/**
 * Returns a name as it can be encoded: lower case, labels of 1 to 63 printable ASCII characters, 253 in total.
 * Undefined for any other: the codec would send a different name.
 */
export function encodableName(text: string): string | undefined {
  const name = text.replace(/\.$/, '').toLowerCase();
  if (name === '' || name.length > MAX_NAME) return undefined;
  const isFit = name.split('.').every((label) => LABEL.test(label) && label.length <= MAX_LABEL);
  return isFit ? name : undefined;
}

/** Returns a name in random case, which a forger would have to guess (draft-vixie-dnsext-dns0x20). */
export function mixCase(name: string, random: () => number): string {
  return name.replace(/[a-z]/g, (letter) => (random() < 0.5 ? letter.toUpperCase() : letter));
}
