import { createHash, randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredBlob } from './blob-store.ts';
import { BlobError } from './errors.ts';
import { removeOld } from './leftovers.ts';

const PREFIX = 'dmarc-ledger-spool-';

/**
 * Writes a stream of unknown length to a temporary file, to compute its name; the file is removed when `use` is done.
 */
export async function spooled(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
  use: (path: string, blob: StoredBlob) => Promise<void>,
): Promise<StoredBlob> {
  const path = join(tmpdir(), `${PREFIX}${randomUUID()}`);
  try {
    const blob = await write(path, chunks, limit);
    await use(path, blob);
    return blob;
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes the files of processes that ended while writing. */
export async function removeSpooled(before: Date): Promise<number> {
  return await removeOld(tmpdir(), before, PREFIX);
}

async function write(path: string, chunks: AsyncIterable<Uint8Array>, limit: number): Promise<StoredBlob> {
  const digest = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > limit) throw new BlobError('blob_too_large', `More than ${limit} bytes.`);
      digest.update(chunk);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return { sha256: digest.digest(), size };
}
