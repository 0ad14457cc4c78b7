import type { Readable } from 'node:stream';

/** What was stored: the SHA-256 of the bytes, which is also their name, and their number. */
export interface StoredBlob {
  sha256: Buffer;
  size: number;
}

/** Stored bytes, readable from any offset and any number of times. */
export interface Blob {
  readonly size: number;
  /**
   * `end` is exclusive. The stream fails with `blob_damaged` before its first byte when the blob does not match its
   * name.
   */
  open(start?: number, end?: number): Readable;
  /** All bytes, checked against the name. For small blobs. */
  bytes(): Promise<Buffer>;
}

/**
 * Raw bytes, named by their SHA-256. A put that has returned is durable; putting the same bytes again changes nothing,
 * except that it repairs a truncated or damaged blob. A blob may exist without a row that names it; a row without its
 * blob must be impossible, so put first.
 */
export interface BlobStore {
  put(bytes: Buffer): Promise<StoredBlob>;
  /** The same for several, in less time than one by one; results in the order of the input. */
  putAll(contents: readonly Buffer[]): Promise<StoredBlob[]>;
  /** Stores a stream; refuses more than `limit` bytes with `blob_too_large`. */
  putStream(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<StoredBlob>;
  get(sha256: Buffer): Promise<Blob>;
  delete(sha256: Buffer): Promise<void>;
  /** All stored blobs, in no order, each with the instant it was stored. */
  list(): AsyncIterable<{ sha256: Buffer; storedAt: Date }>;
  /** Removes writes that were begun before an instant and never finished. Returns how many. */
  removeLeftovers(before: Date): Promise<number>;
  /** The text that `setOwner` has stored: which ledger uses this store. Undefined for a store without one. */
  owner(): Promise<string | undefined>;
  setOwner(owner: string): Promise<void>;
  /** The free part of the disk, 0 to 1; null for a store without a known size. */
  freeSpace(): Promise<number | null>;
}
