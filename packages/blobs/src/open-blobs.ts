import { fileURLToPath } from 'node:url';
import type { BlobStore } from './blob-store.ts';
import { BlobError } from './errors.ts';
import { fileBlobs } from './file-blobs.ts';

/**
 * Opens the store that a `BLOB_URL` names: `file:` with a folder, or `s3:` with a bucket. A folder that holds none yet
 * becomes one if `mayBegin` allows it: its volume may not be mounted. Otherwise all that is asked of the store fails
 * with `blob_store_unreachable` until it is.
 */
export async function openBlobs(
  url: string,
  mayBegin: (folder: string) => Promise<boolean> = async () => true,
): Promise<BlobStore> {
  if (url.startsWith('file:')) return await fileBlobs(fileURLToPath(new URL(url)), mayBegin);
  if (url.startsWith('s3:')) return await (await import('./s3-blobs.ts')).s3Blobs(url);
  throw new BlobError('blob_url_unsupported', `BLOB_URL must begin with file: or s3: (given: ${url.slice(0, 40)}).`);
}
