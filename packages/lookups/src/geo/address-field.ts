/**
 * Reads the address that begins at `at` in a line, and writes it as numbers of 32 bits from `words[word]` on. Returns
 * the place after the comma that ends it, or -1 where the text is no address.
 */
export type AddressField = (bytes: Uint8Array, at: number, words: Uint32Array, word: number) => number;

const [COMMA, COLON] = [0x2c, 0x3a];
/** The value of each hexadecimal digit by its byte; -1 for other bytes. */
const HEX = Int8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? -1 : value;
});

/** A decimal number, and the place of the byte behind it, which is `at` where there is none. */
export function decimal(bytes: Uint8Array, at: number): { number: number; end: number } {
  let number = 0;
  let end = at;
  for (let digit = valueAt(bytes, end); digit >= 0 && digit < 10; digit = valueAt(bytes, (end += 1)))
    number = number * 10 + digit;
  return { number, end };
}

/** An IPv4 address as a decimal number. */
export const ipv4Field: AddressField = (bytes, at, words, word) => {
  const { number, end } = decimal(bytes, at);
  words[word] = number;
  return end > at && bytes[end] === COMMA ? end + 1 : -1;
};

const groups = new Uint16Array(8);

/** An IPv6 address as text (RFC 4291, 2.2, without an IPv4 address in it). */
export const ipv6Field: AddressField = (bytes, at, words, word) => {
  let count = 0;
  let gap = -1;
  let end = at;
  while (bytes[end] !== COMMA) {
    if (bytes[end] === COLON) {
      if (bytes[end + 1] === COLON) gap = count;
      end += bytes[end + 1] === COLON ? 2 : 1;
      continue;
    }
    let value = 0;
    const first = end;
    for (let digit = valueAt(bytes, end); digit >= 0; digit = valueAt(bytes, (end += 1))) value = value * 16 + digit;
    if (end === first || end > first + 4 || count === 8) return -1;
    groups[count] = value;
    count += 1;
  }
  if (gap < 0 ? count !== 8 : count > 7) return -1;
  const left = gap < 0 ? count : gap;
  groups.copyWithin(8 - (count - left), left, count);
  groups.fill(0, left, 8 - (count - left));
  for (let i = 0; i < 4; i++) words[word + i] = ((groups[2 * i] ?? 0) << 16) | (groups[2 * i + 1] ?? 0);
  return end + 1;
};

function valueAt(bytes: Uint8Array, at: number): number {
  return HEX[bytes[at] ?? COMMA] ?? -1;
}
