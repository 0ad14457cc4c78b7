export { openBlobs } from './open-blobs.ts';
export { BlobError } from './errors.ts';
export type { BlobStore, Blob, StoredBlob } from './blob-store.ts';
