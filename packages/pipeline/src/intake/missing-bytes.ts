import { BlobError, type BlobStore } from '@dmarc-ledger/blobs';

/**
 * Whether bytes exist; false when they are permanently missing. Bytes deleted by age are no fault of what was read from
 * them. Throws a temporary fault.
 */
export async function isThere(blobs: BlobStore, sha256: Buffer): Promise<boolean> {
  return (await faultOf(blobs, sha256)) === null;
}

/** Why bytes are permanently missing; null when they exist. Throws a temporary fault. */
export async function faultOf(blobs: BlobStore, sha256: Buffer): Promise<BlobError | null> {
  try {
    await blobs.get(sha256);
    return null;
  } catch (error) {
    if (error instanceof BlobError && !error.retryable) return error;
    throw error;
  }
}
