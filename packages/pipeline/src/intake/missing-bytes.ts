import { BlobError, type BlobStore } from '@dmarc-ledger/blobs';

/** Bytes that were deleted, by age, say nothing of what was read from them. */
export async function isThere(blobs: BlobStore, sha256: Buffer): Promise<boolean> {
  return (await faultOf(blobs, sha256)) === null;
}

/** Why bytes are gone for good; null when they are there. A fault that passes is thrown. */
export async function faultOf(blobs: BlobStore, sha256: Buffer): Promise<BlobError | null> {
  try {
    await blobs.get(sha256);
    return null;
  } catch (error) {
    if (error instanceof BlobError && !error.retryable) return error;
    throw error;
  }
}
