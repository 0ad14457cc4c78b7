import { toASCII, toUnicode } from 'tr46';

const LDH_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const PLAIN_ASCII = /^[a-zA-Z0-9._-]*$/;
/** ASCII letters and digits, `-`, `_` and `.`; outside ASCII letters, marks and digits. */
// oxlint-disable-line no-control-regex -- the ASCII range is what is asked for
const NAME_CHARACTERS = /^(?:[a-zA-Z0-9._-]|(?![\0-\x7f])[\p{L}\p{M}\p{Nd}])*$/u;
const ASCII_SPACE = new Set(['\t', '\n', '\f', '\r', ' ']);
const MAX_NAME = 253;
/** Longer than any name as typed, even with decomposed letters. */
const MAX_TEXT = 1_024;

/**
 * Normalizes a domain name to the one form for comparing, storing and querying: without surrounding ASCII whitespace
 * and one trailing dot, in lower case, with A-labels (UTS 46, non-transitional). Characters are checked before the
 * conversion, and no URL parser is used, which would cut `good.example/x` to `good.example`. Undefined for an invalid
 * name; empty stays empty. `isDomainName` tests for a host name. (rules, alignment/domain-names)
 */
export function readDomainName(text: string): string | undefined {
  const trimmed = trimAsciiSpace(text);
  if (trimmed.length > MAX_TEXT) return undefined;
  const name = trimmed.endsWith('.') ? trimmed.slice(0, -1) : trimmed;
  if (name.endsWith('.')) return undefined;
  if (PLAIN_ASCII.test(name)) return name.length <= MAX_NAME ? name.toLowerCase() : undefined; // nearly all names
  if (!NAME_CHARACTERS.test(name)) return undefined;
  const converted = toASCII(name);
  const isName = converted !== null && converted.length <= MAX_NAME && PLAIN_ASCII.test(converted);
  return isName ? converted : undefined;
}

/** Like `readDomainName`, for values that are stored in any case: an invalid name keeps its text. */
export function normalizeDomain(text: string): string {
  return readDomainName(text) ?? text;
}

/** Formats a name for display, with U-labels for its A-labels; a label that cannot be converted stays. */
export function unicodeDomain(name: string): string {
  return name.includes('xn--') ? toUnicode(name).domain : name;
}

/**
 * True for a normalized name with two or more LDH labels of 1 to 63 characters, 253 in total, whose last label is not
 * all digits (so an IPv4 address is not a name).
 */
export function isDomainName(name: string): boolean {
  if (name.length > MAX_NAME) return false;
  const labels = name.split('.');
  return labels.length >= 2 && labels.every((label) => LDH_LABEL.test(label)) && !/^\d+$/.test(labels.at(-1)!);
}

/**
 * Returns a text without the ASCII white space around it: no-break spaces are none. (RFC 5234, B.1) A loop, as an
 * expression for the end of a text takes quadratic time on a run of spaces, which a stranger may write.
 */
export function trimAsciiSpace(text: string): string {
  let [begin, end] = [0, text.length];
  while (begin < end && ASCII_SPACE.has(text.charAt(begin))) begin += 1;
  while (end > begin && ASCII_SPACE.has(text.charAt(end - 1))) end -= 1;
  return text.slice(begin, end);
}
