import { hash } from 'node:crypto';
import { BlobError } from './errors.ts';

/** Bytes that are what their name says. */
export function checked(bytes: Buffer, sha256: Buffer): Buffer {
  if (hash('sha256', bytes, 'buffer').equals(sha256)) return bytes;
  throw new BlobError('blob_damaged', `The stored bytes ${sha256.toString('hex')} do not match their name.`);
}
