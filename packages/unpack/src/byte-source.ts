import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { WorkSlices } from '@dmarc-ledger/vocabulary';
import { CHUNK, STREAMED_PIECE } from './limits.ts';

/** Bytes that can be read again, from any offset. */
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
    open: (start = 0, end = bytes.length) => Readable.from(inTurns(bytes.subarray(start, end)), { objectMode: false }),
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

/** In pieces of a size that a reader can process. */
export function* slices(bytes: Buffer, length = CHUNK): Generator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** Piece by piece, yielding in between: a stream of bytes in memory never waits otherwise. */
async function* inTurns(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  const work = new WorkSlices();
  for (const piece of slices(bytes, STREAMED_PIECE)) {
    yield piece;
    await work.pause();
  }
}
