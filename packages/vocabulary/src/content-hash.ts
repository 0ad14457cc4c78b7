import { createHash, hash } from 'node:crypto';
import { WorkSlices } from './work-slices.ts';

const PIECE = 1024 ** 2;

/** The SHA-256 of a content, in memory or as a stream. Large contents in memory are hashed in parts, with pauses. */
export async function contentHash(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<Buffer> {
  if (content instanceof Uint8Array && content.length <= PIECE) return hash('sha256', content, 'buffer');
  const digest = createHash('sha256');
  for await (const piece of content instanceof Uint8Array ? piecesOf(content) : content) digest.update(piece);
  return digest.digest();
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const work = new WorkSlices();
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.subarray(at, at + PIECE);
    await work.pause();
  }
}
