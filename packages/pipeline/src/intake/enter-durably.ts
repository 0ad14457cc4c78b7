import { BlobError, type BlobStore } from '@dmarc-ledger/blobs';
import { areBytesGone, reclaimBytes, type Database } from '@dmarc-ledger/db';

/** Bytes that were put: whole ones can be put again. */
export interface PutBytes {
  sha256: Buffer;
  content: Buffer | AsyncIterable<Uint8Array>;
}

const TRIES = 5;

/**
 * Enters deliveries whose bytes were put. Where the purge was deleting the same bytes at that moment, they are put again,
 * seen to be there, and entered then: a row without its blob must be impossible. May run `enter` several times; each is
 * a transaction that leaves nothing behind when it fails.
 */
export async function enterDurably<T>(
  { database, blobs }: { database: Database; blobs: BlobStore },
  put: readonly PutBytes[],
  enter: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await enter();
    } catch (error) {
      if (!areBytesGone(error)) throw error;
      if (tries >= TRIES)
        throw new BlobError('blob_store_unreachable', 'The bytes were deleted while they came; send them again.', {
          cause: error,
        });
      for (const { content } of put) if (Buffer.isBuffer(content)) await blobs.put(content);
      await reclaimBytes(
        database,
        put.map(({ sha256 }) => sha256),
        (sha256) => isStored(blobs, sha256),
      );
    }
  }
}

async function isStored(blobs: BlobStore, sha256: Buffer): Promise<boolean> {
  try {
    await blobs.get(sha256);
    return true;
  } catch (error) {
    if (error instanceof BlobError && error.code === 'blob_missing') return false;
    throw error;
  }
}
