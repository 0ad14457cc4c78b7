import { TextDecoder } from 'node:util';
import { isAscii } from 'node:buffer';
import { detectEncoding, SNIFFED, type Encoding } from './encoding.ts';

const LONGEST_SEQUENCE = 4;

/** Decodes a document chunk by chunk. Invalid UTF-8 is read as windows-1252 from the chunk on in which it shows. */
export class ChunkDecoder {
  #encoding: Encoding | null = null;
  #decoder: TextDecoder | null = null;
  #isUtf8 = false;
  /** The beginning of a character whose end the next chunk brings. */
  #carry: Buffer = Buffer.alloc(0);

  decode(chunk: Uint8Array): string {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#encoding) return this.#decodeMore(bytes);
    const head = Buffer.concat([this.#carry, bytes]);
    this.#carry = head;
    return head.length < SNIFFED ? '' : this.#begin(head);
  }

  /** What is left when the document ends: all of a very short one, or the beginning of a character. */
  end(): string {
    const start = this.#encoding ? '' : this.#begin(this.#carry);
    return start + (this.#isUtf8 ? this.#carry.toString('latin1') : (this.#decoder?.decode() ?? ''));
  }

  #begin(head: Buffer): string {
    this.#encoding = detectEncoding(head);
    this.#carry = Buffer.alloc(0);
    this.#isUtf8 = this.#encoding.label === 'utf-8';
    if (!this.#isUtf8) this.#decoder = new TextDecoder(this.#encoding.label, { ignoreBOM: true });
    return this.#decodeMore(head.subarray(this.#encoding.skip));
  }

  #decodeMore(bytes: Buffer): string {
    return this.#isUtf8 ? this.#decodeUtf8(bytes) : (this.#decoder?.decode(bytes, { stream: true }) ?? '');
  }

  get warnings(): Encoding['warnings'] {
    return this.#encoding?.warnings ?? [];
  }

  #decodeUtf8(chunk: Buffer): string {
    const bytes = this.#carry.length ? Buffer.concat([this.#carry, chunk]) : chunk;
    const end = bytes.length - incompleteTail(bytes);
    const whole = bytes.subarray(0, end);
    this.#carry = Buffer.from(bytes.subarray(end));
    if (isAscii(whole)) return whole.toString('latin1');
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(whole);
    } catch {
      this.#isUtf8 = false;
      this.#carry = Buffer.alloc(0);
      this.#decoder = new TextDecoder('windows-1252');
      this.#encoding?.warnings.push({ code: 'xml_encoding_mislabelled', detail: 'declared utf-8' });
      return this.#decoder.decode(bytes, { stream: true });
    }
  }
}

/** Bytes at the end that begin a UTF-8 sequence without finishing it. */
function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back < LONGEST_SEQUENCE && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
