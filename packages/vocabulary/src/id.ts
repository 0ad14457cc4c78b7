import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TEXT_LENGTH = 26;
const VALUE_OF = new Map(
  [...ALPHABET].flatMap((symbol, value): [string, number][] => [
    [symbol, value],
    [symbol.toLowerCase(), value],
  ]),
);
for (const [alias, value] of [
  ['I', 1],
  ['i', 1],
  ['L', 1],
  ['l', 1],
  ['O', 0],
  ['o', 0],
] as const) {
  VALUE_OF.set(alias, value);
}

/** The greatest value of the 12 bits behind the version. */
const MOST = 0xfff;
/** The newest id of this process. */
const last = { ms: -1, counter: 0 };

/**
 * Returns a new time-ordered UUID (RFC 9562, version 7), in its usual 36-character form. Those that a process makes in
 * one millisecond ascend, too: a counter stands behind the time, which begins in the lower half of its range (6.2,
 * method 1).
 */
export function newId(now: number = Date.now()): string {
  const bytes = randomFillSync(Buffer.allocUnsafe(16));
  last.counter = now === last.ms ? Math.min(last.counter + 1, MOST) : bytes.readUInt16BE(6) % (MOST >> 1);
  last.ms = now;
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt16BE(0x7000 | last.counter, 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return uuidText(bytes.toString('hex'));
}

/** The public form of an id: 26 characters of Crockford Base32, upper case. */
export function idText(uuid: string): string {
  let value = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  for (let i = 0; i < TEXT_LENGTH; i += 1) {
    text = ALPHABET[Number(value & 31n)]! + text;
    value >>= 5n;
  }
  return text;
}

/**
 * Parses an id in Crockford Base32: any case, `I` and `L` read as 1, `O` as 0, hyphens ignored. Undefined for another
 * alphabet, another length or a value beyond 128 bits.
 */
export function parseId(text: string): string | undefined {
  const symbols = text.replaceAll('-', '');
  if (symbols.length !== TEXT_LENGTH) return undefined;
  let value = 0n;
  for (const symbol of symbols) {
    const digit = VALUE_OF.get(symbol);
    if (digit === undefined) return undefined;
    value = (value << 5n) | BigInt(digit);
  }
  if (value >> 128n) return undefined;
  return uuidText(value.toString(16).padStart(32, '0'));
}

function uuidText(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
