import { Readable } from 'node:stream';
import { present } from '@dmarc-ledger/vocabulary';
import type { Blob, BlobStore } from './blob-store.ts';

/** Small blobs are kept, and so many bytes of them. */
const KEPT = { each: 65_536, all: 4 * 1024 ** 2 };

/**
 * A store that passes small blobs on from memory when they are read for the first time soon after they were put, by the
 * same process: what has just been made durable need not be opened, read and hashed again. Later reads see the store.
 */
export function recentBlobs(blobs: BlobStore): BlobStore {
  const recent = new Map<string, Buffer>();
  let size = 0;
  const take = (name: string): Buffer | undefined => {
    const bytes = recent.get(name);
    if (bytes && recent.delete(name)) size -= bytes.length;
    return bytes;
  };
  const keep = (name: string, bytes: Buffer) => {
    if (bytes.length > KEPT.each || recent.has(name)) return;
    recent.set(name, bytes);
    size += bytes.length;
    for (const oldest of recent.keys()) {
      if (size <= KEPT.all) break;
      take(oldest);
    }
  };
  return {
    ...blobs,
    async put(bytes) {
      const stored = await blobs.put(bytes);
      keep(stored.sha256.toString('hex'), bytes);
      return stored;
    },
    async putAll(contents) {
      const stored = await blobs.putAll(contents);
      contents.forEach((bytes, i) => keep(present(stored[i]).sha256.toString('hex'), bytes));
      return stored;
    },
    async get(sha256) {
      const bytes = take(sha256.toString('hex'));
      return bytes ? inMemory(bytes) : await blobs.get(sha256);
    },
    async delete(sha256) {
      take(sha256.toString('hex'));
      await blobs.delete(sha256);
    },
  };
}

function inMemory(bytes: Buffer): Blob {
  return {
    size: bytes.length,
    open: (start = 0, end = bytes.length) => Readable.from([bytes.subarray(start, end)], { objectMode: false }),
    bytes: () => Promise.resolve(bytes),
  };
}
