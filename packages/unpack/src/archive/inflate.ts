import { once } from 'node:events';
import { createInflateRaw, type InflateRaw } from 'node:zlib';
import { errorCode } from '@dmarc-ledger/vocabulary';
import { UnpackError } from '../errors.ts';
import { CHUNK } from '../limits.ts';
import type { ByteReader } from './byte-reader.ts';

/**
 * Inflates one DEFLATE stream (RFC 1951) and leaves the reader after its last byte. The streaming engine has no limit
 * of its own: `count` sees every piece before it is passed on, and throws.
 */
export async function* inflateRaw(
  reader: ByteReader,
  count: (piece: Buffer) => void,
): AsyncGenerator<Buffer, void, undefined> {
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

/** Writes chunk by chunk until the engine reaches its end; unused bytes go back to the reader. */
async function feed(reader: ByteReader, engine: InflateRaw): Promise<void> {
  let written = 0;
  for (let chunk = await nextChunk(reader, engine); chunk; chunk = await nextChunk(reader, engine)) {
    written += chunk.length;
    await hand(engine, chunk);
    const unused = written - engine.bytesWritten;
    if (unused <= 0) continue;
    reader.unread(chunk.subarray(Math.max(0, chunk.length - unused)));
    return;
  }
  if (!engine.destroyed) engine.end();
}

async function nextChunk(reader: ByteReader, engine: InflateRaw): Promise<Buffer | undefined> {
  if (engine.destroyed) return undefined;
  try {
    return await reader.next();
  } catch (error) {
    engine.destroy(error instanceof Error ? error : new Error(String(error)));
    return undefined;
  }
}

/** Passes on a chunk, until the engine has consumed it, or has ended. */
async function hand(engine: InflateRaw, chunk: Buffer): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const taken = new Promise<void>((resolve) => {
    engine.write(chunk, () => resolve());
  });
  const ended = ['end', 'close'].map((event) =>
    once(engine, event, { signal }).then(
      () => undefined,
      () => undefined,
    ),
  );
  await Promise.race([taken, ...ended]);
  over.abort();
}

/** The code of an engine that runs out of input; its other faults concern the data. */
function translate(error: unknown): unknown {
  const code = errorCode(error);
  if (code === 'Z_BUF_ERROR')
    return new UnpackError('gzip_truncated', 'the compressed data ends too early', { cause: error });
  if (typeof code === 'string' && code.startsWith('Z_'))
    return new UnpackError('archive_malformed', 'the compressed data is damaged', { cause: error });
  return error;
}
