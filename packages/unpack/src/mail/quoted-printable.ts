import { Transform, type TransformCallback } from 'node:stream';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const EQUALS = 0x3d;
/** The most white space before a line end that counts as added by a relay. */
const LONGEST_PADDING = 1_000;

/**
 * Decodes quoted-printable (RFC 2045, 6.7) as a stream, and holds back no more than may still turn out to be the end of
 * a line. Invalid escapes stay as they are.
 */
export class QuotedPrintableDecoder extends Transform {
  /** Bytes whose meaning depends on the next ones: white space, or the beginning of an escape. */
  #held: number[] = [];

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    const out = Buffer.allocUnsafe(chunk.length + this.#held.length + 2);
    let length = 0;
    const give = (byte: number) => {
      out[length] = byte;
      length += 1;
    };
    for (const byte of chunk) {
      if (this.#held.length > 0 && this.#goesOn(byte, give)) continue;
      if (byte === EQUALS || byte === SPACE || byte === TAB) this.#held.push(byte);
      else give(byte);
    }
    done(null, out.subarray(0, length));
  }

  override _flush(done: TransformCallback): void {
    const isSoftEnd = this.#held[0] === EQUALS && !this.#held.slice(1).some(isHex);
    done(null, isSoftEnd ? undefined : Buffer.from(this.#held.filter((byte) => !isPadding(byte))));
  }

  /**
   * True when the byte continues the held bytes; otherwise they are passed on as they are, and the byte is still to be
   * handled.
   */
  #goesOn(byte: number, give: (byte: number) => void): boolean {
    const held = this.#held;
    if (held[0] === EQUALS) return this.#inEscape(byte, give);
    if (isPadding(byte) && held.length < LONGEST_PADDING) {
      held.push(byte);
      return true;
    }
    if (byte !== LF && byte !== CR) for (const space of held) give(space);
    held.length = 0;
    return false;
  }

  #inEscape(byte: number, give: (byte: number) => void): boolean {
    const held = this.#held;
    const last = held.at(-1) ?? EQUALS;
    if (byte === LF) {
      held.length = 0; // a soft line break
      return true;
    }
    const isPossible =
      (isHex(byte) && held.length === 1) ||
      ((isPadding(byte) || byte === CR) && !isHex(last) && last !== CR && held.length < LONGEST_PADDING);
    if (isPossible) {
      held.push(byte);
      return true;
    }
    if (isHex(byte) && held.length === 2 && isHex(last)) {
      give(Number.parseInt(String.fromCharCode(last, byte), 16));
      held.length = 0;
      return true;
    }
    for (const literal of held) give(literal);
    held.length = 0;
    return false;
  }
}

function isPadding(byte: number): boolean {
  return byte === SPACE || byte === TAB;
}

function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
