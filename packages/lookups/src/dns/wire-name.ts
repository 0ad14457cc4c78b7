import { MAX_WIRE_NAME } from './limits.ts';

/** A name in a message. */
export interface WireName {
  text: string;
  /** The offset after the name. */
  end: number;
  /** True if a label contains a dot or a character outside printable ASCII: its text would read as another name. */
  isOdd: boolean;
}

const POINTER = 0xc0;
const DOT = 0x2e;

/** Reads the name at an offset; pointers must lead backwards (RFC 1035, 4.1.4). Undefined if it is malformed. */
export function readWireName(bytes: Buffer, start: number): WireName | undefined {
  const labels: string[] = [];
  let isOdd = false;
  let length = 1;
  let end: number | undefined;
  for (let at = start, limit = start; at < bytes.length;) {
    const size = bytes[at]!;
    if (size === 0) return { text: labels.join('.'), end: end ?? at + 1, isOdd };
    if ((size & POINTER) === POINTER) {
      if (at + 2 > bytes.length) return undefined;
      const target = bytes.readUInt16BE(at) & 0x3fff;
      if (target >= limit) return undefined;
      end ??= at + 2;
      at = target;
      limit = target;
      continue;
    }
    length += size + 1;
    if (size & POINTER || at + 1 + size > bytes.length || length > MAX_WIRE_NAME) return undefined;
    const label = bytes.subarray(at + 1, at + 1 + size);
    isOdd ||= label.some((byte) => byte <= 0x20 || byte >= 0x7f || byte === DOT);
    labels.push(label.toString('latin1'));
    at += 1 + size;
  }
  return undefined;
}
