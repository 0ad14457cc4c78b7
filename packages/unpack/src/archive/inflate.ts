import { once } from 'node:events';
import { createInflateRaw } from 'node:zlib';
import { UnpackError } from '../errors.ts';
import { CHUNK } from '../limits.ts';
import type { ByteReader } from './byte-reader.ts';

/**
 * Inflates one DEFLATE stream (RFC 1951) and leaves the reader behind its last byte. The streaming engine knows no limit
 * of its own: `count` sees every piece before it is handed on, and throws.
 */
export async function* inflateRaw(reader: ByteReader, count: (piece: Buffer) => void): AsyncGenerator<Buffer, void, undefined> {
  const engine = createInflateRaw({ chunkSize: CHUNK });
  const feeding = feed(reader, engine);
  try {
    for await (const piece of engine) {
      count(piece);
      yield piece;
    }
  } catch (error) {
    throw translate(error);
  } finally {
    engine.destroy();
    await feeding;
  }
}

/** Writes chunk by chunk until the engine has its end; what it did not use goes back to the reader. */
async function feed(reader: ByteReader, engine: ReturnType<typeof createInflateRaw>): Promise<void> {
  let written = 0;
  for (;;) {
    const chunk = await nextChunk(reader, engine);
    if (!chunk) break;
    written += chunk.length;
    if (await hasEnded(engine, chunk)) {
      const unused = written - engine.bytesWritten;
      if (unused > 0 && unused <= chunk.length) reader.unread(chunk.subarray(chunk.length - unused));
      return;
    }
  }
  if (!engine.destroyed) engine.end();
}

async function nextChunk(reader: ByteReader, engine: ReturnType<typeof createInflateRaw>): Promise<Buffer | undefined> {
  if (engine.destroyed) return undefined;
  try {
    return await reader.next();
  } catch (error) {
    engine.destroy(error instanceof Error ? error : new Error(String(error)));
    return undefined;
  }
}

/** Hands a chunk over; true when the stream ended in it, or the engine failed. */
async function hasEnded(engine: ReturnType<typeof createInflateRaw>, chunk: Buffer): Promise<boolean> {
  const over = new AbortController();
  const written = new Promise<boolean>((resolve) => {
    engine.write(chunk, (error) => resolve(error != null));
  });
  const ended = once(engine, 'close', { signal: over.signal }).then(() => true, () => true);
  const finished = once(engine, 'end', { signal: over.signal }).then(() => true, () => true);
  try {
    return await Promise.race([written, ended, finished]);
  } finally {
    over.abort();
  }
}

/** An engine that runs out of input says so by its code; every other fault of its own is in the data. */
function translate(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR') return new UnpackError('gzip_truncated', 'the compressed data ends too early', { cause: error });
  if (typeof code === 'string' && code.startsWith('Z_')) return new UnpackError('archive_malformed', 'the compressed data is damaged', { cause: error });
  return error;
}
