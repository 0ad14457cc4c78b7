import { stat } from 'node:fs/promises';
import { errorCode } from '@dmarc-ledger/vocabulary';
import { BlobError } from './errors.ts';
import { unlessGone } from './leftovers.ts';

/** Throws the error of a file that exists and cannot be read: the disk or its rights are at fault, not the bytes. */
export function unreadable(error: unknown): never {
  if (error instanceof BlobError) throw error;
  const message = `The folder of BLOB_URL cannot be read (${errorCode(error) ?? 'unknown error'}).`;
  throw new BlobError('blob_store_unreachable', message, { cause: error });
}

/** The error of a file that is not there: it is missing, or its whole volume is. */
export async function fileMissing(temporary: string, sha256: Buffer): Promise<BlobError> {
  if (await unlessGone(stat(temporary)).catch(unreadable))
    return new BlobError('blob_missing', `The stored bytes ${sha256.toString('hex')} are gone.`);
  return new BlobError('blob_store_unreachable', 'The folder of BLOB_URL is empty. Is its volume mounted?');
}
