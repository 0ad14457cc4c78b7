import { BlobError, type BlobStore } from '@dmarc-ledger/blobs';
import { areBytesGone, reclaimBytes } from '@dmarc-ledger/ledger';
import { type Database, type Session, transact } from '@dmarc-ledger/schema';
import { present } from '@dmarc-ledger/vocabulary';
import { isThere } from './missing-bytes.ts';

/** Stored bytes; a whole delivery's bytes can be stored again. */
export interface PutBytes {
  sha256: Buffer;
  content: Buffer | AsyncIterable<Uint8Array>;
}

/**
 * Enters deliveries whose bytes were stored. When the purge is deleting the same bytes at that moment, it is locked out
 * until they have been stored and entered again: a row without its blob must be impossible.
 */
export async function enterDurably<T>(
  { database, blobs }: { database: Database; blobs: BlobStore },
  put: readonly PutBytes[],
  enter: (session: Session) => Promise<T>,
): Promise<T> {
  try {
    return await transact(database, enter);
  } catch (error) {
    if (!areBytesGone(error)) throw error;
  }
  const contents = new Map(put.map(({ sha256, content }) => [sha256.toString('hex'), content]));
  return await transact(database, async (session) => {
    await reclaimBytes(
      session,
      put.map(({ sha256 }) => sha256),
      (sha256) => putBack(blobs, sha256, present(contents.get(sha256.toString('hex')))),
    );
    return await enter(session);
  });
}

async function putBack(blobs: BlobStore, sha256: Buffer, content: PutBytes['content']): Promise<void> {
  if (Buffer.isBuffer(content)) await blobs.put(content);
  else if (!(await isThere(blobs, sha256)))
    throw new BlobError('blob_store_unreachable', 'The bytes were deleted while they arrived; send them again.');
}
