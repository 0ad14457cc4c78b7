import type { Readable } from 'node:stream';

/** What was stored: the SHA-256 of the bytes, which is also their name, and their number. */
export interface StoredBlob {
  sha256: Buffer;
  size: number;
}

/** Stored bytes, readable from any place and any number of times. */
export interface Blob {
  readonly size: number;
  /**
   * `end` is exclusive. The stream fails with `blob_damaged` before its first byte when the blob is not what its name
   * says.
   */
  open(start?: number, end?: number): Readable;
  /** All bytes, checked against the name. For small ones. */
  bytes(): Promise<Buffer>;
}

/**
 * Raw bytes, named by their SHA-256. A put that has returned is durable; putting the same bytes again changes nothing,
 * save that it heals a stored blob that is torn or damaged.
 * A blob may be there without a row that names it; a row without its blob must be impossible, so put first.
 */
export interface BlobStore {
  put(bytes: Buffer): Promise<StoredBlob>;
  /** Stores a stream; refuses more than `limit` bytes with `blob_too_large`. */
  putStream(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<StoredBlob>;
  get(sha256: Buffer): Promise<Blob>;
  delete(sha256: Buffer): Promise<void>;
  /** All that is stored, in no order, with the instant since when it has lain there. */
  list(): AsyncIterable<{ sha256: Buffer; storedAt: Date }>;
  /** Removes what was begun before an instant and never finished. Returns how many. */
  removeLeftovers(before: Date): Promise<number>;
  /** The part of the disk that is free, 0 to 1; null where there is no end in sight. */
  freeSpace(): Promise<number | null>;
}
