import { fileURLToPath } from 'node:url';
import type { BlobStore } from './blob-store.ts';
import { BlobError } from './errors.ts';
import { fileBlobs } from './file-blobs.ts';

/** Opens the store that a `BLOB_URL` names: `file:` with a folder, or `s3:` with a bucket. */
export async function openBlobs(url: string): Promise<BlobStore> {
  if (url.startsWith('file:')) return await fileBlobs(fileURLToPath(new URL(url)));
  if (url.startsWith('s3:')) return await (await import('./s3-blobs.ts')).s3Blobs(url);
  throw new BlobError('blob_url_unsupported', `BLOB_URL must begin with file: or s3: (given: ${url.slice(0, 40)}).`);
}
