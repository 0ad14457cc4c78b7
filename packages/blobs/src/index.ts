export { openBlobs } from './open-blobs.ts';
export { recentBlobs } from './recent-blobs.ts';
export { BlobError } from './errors.ts';
export type { BlobStore, Blob, StoredBlob } from './blob-store.ts';
