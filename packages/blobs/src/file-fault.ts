import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '@dmarc-ledger/vocabulary';
import { BlobError } from './errors.ts';

/** Throws the error of a file that exists and cannot be read: the disk or its rights are at fault, not the bytes. */
export function unreadable(error: unknown): never {
  if (error instanceof BlobError) throw error;
  const message = `The folder of BLOB_URL cannot be read (${errorCode(error) ?? 'unknown error'}).`;
  throw new BlobError('blob_store_unreachable', message, { cause: error });
}

/** Throws unless the folder of a store is there: without it the bytes are not gone, but their volume is elsewhere. */
export function requireStore(temporary: string): void {
  if (statSync(temporary, { throwIfNoEntry: false })) return;
  const message =
    `${dirname(temporary)} holds no raw bytes, but the ledger refers to some. Is its volume mounted? ` +
    `If they are lost, make the folder ${temporary} to go on without them.`;
  throw new BlobError('blob_store_unreachable', message);
}
