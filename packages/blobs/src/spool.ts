import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredBlob } from './blob-store.ts';
import { removeOld } from './leftovers.ts';
import { writeHashed } from './write-hashed.ts';

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
    const blob = await writeHashed(path, chunks, { limit, isSynced: false });
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
