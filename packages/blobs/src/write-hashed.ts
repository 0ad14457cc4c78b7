import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { StoredBlob } from './blob-store.ts';
import { BlobError } from './errors.ts';

/**
 * Writes a stream to a new file, and returns its hash and size. Refuses more than `limit` bytes with `blob_too_large`;
 * what it has written by then is the caller's to remove.
 */
export async function writeHashed(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { limit, isSynced }: { limit: number; isSynced: boolean },
): Promise<StoredBlob> {
  const digest = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > limit) throw new BlobError('blob_too_large', `More than ${limit} bytes.`);
      digest.update(chunk);
      await file.writeFile(chunk);
    }
    if (isSynced) await file.datasync();
  } finally {
    await file.close();
  }
  return { sha256: digest.digest(), size };
}
