import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CHUNK } from './limits.ts';

/** Bytes that can be read again, from any place. */
export interface ByteSource {
  readonly size: number;
  /** `end` is exclusive. */
  open(start?: number, end?: number): Readable;
  /** The bytes themselves, when they are in memory. */
  readonly bytes?: Buffer;
}

export function bufferSource(content: Uint8Array): ByteSource {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return {
    size: bytes.length,
    bytes,
    open: (start = 0, end = bytes.length) => Readable.from(slices(bytes.subarray(start, end)), { objectMode: false }),
  };
}

export async function fileSource(path: string): Promise<ByteSource> {
  const { size } = await stat(path);
  return {
    size,
    open: (start = 0, end = size) =>
      end <= start ? Readable.from([]) : createReadStream(path, { start, end: end - 1, highWaterMark: CHUNK }),
  };
}

/** In pieces that a reader can take one by one. */
export function* slices(bytes: Buffer): Generator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}
