import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@dmarc-ledger/vocabulary';
import { BlobError } from './errors.ts';

/** The folder of files that are being written. */
export const TEMPORARY = 'tmp';
/** The names of the folders of blobs. */
export const PART = /^[0-9a-f]{2}$/;

/** Throws the error of a file that exists and cannot be read: the disk or its rights are at fault, not the bytes. */
export function unreadable(error: unknown): never {
  if (error instanceof BlobError) throw error;
  const message = `The folder of BLOB_URL cannot be read (${errorCode(error) ?? 'unknown error'}).`;
  throw new BlobError('blob_store_unreachable', message, { cause: error });
}

/**
 * Throws unless a folder is that of a store: otherwise bytes are not gone, but their volume is elsewhere. Makes the
 * folder of temporary files where only that is gone, as after a restore or a sweep that drops empty folders.
 */
export function requireStore(folder: string): void {
  const temporary = join(folder, TEMPORARY);
  try {
    if (statSync(temporary, { throwIfNoEntry: false })) return;
    if (isStore(folder)) return void mkdirSync(temporary, { recursive: true });
  } catch (error) {
    unreadable(error);
  }
  const message =
    `${folder} holds no store of raw bytes. Is its volume mounted? ` +
    `If the bytes are lost, make the folder ${temporary} to go on without them.`;
  throw new BlobError('blob_store_unreachable', message);
}

/** True if a folder has any of the folders of a store. */
export function isStore(folder: string): boolean {
  const isThere = statSync(folder, { throwIfNoEntry: false }) !== undefined;
  return isThere && readdirSync(folder).some((name) => name === TEMPORARY || PART.test(name));
}
