import { createHash, hash } from 'node:crypto';
import { WorkSlices } from './work-slices.ts';

const PIECE = 1024 ** 2;

/** The SHA-256 of bytes that are in memory; of many megabytes piece by piece, so that others have their turn. */
export async function contentHash(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.length <= PIECE) return hash('sha256', bytes, 'buffer');
  const digest = createHash('sha256');
  const work = new WorkSlices();
  for (let at = 0; at < bytes.length; at += PIECE) {
    digest.update(bytes.subarray(at, at + PIECE));
    await work.pause();
  }
  return digest.digest();
}
