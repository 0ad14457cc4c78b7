import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@dmarc-ledger/vocabulary';

/** Removes files of a folder that were last written before an instant, because the process that began them is gone. */
export async function removeOld(folder: string, before: Date, prefix = ''): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const found = await unlessGone(stat(join(folder, name)));
    if (!found?.isFile() || found.mtime >= before) continue;
    await rm(join(folder, name), { force: true });
    removed += 1;
  }
  return removed;
}

/** Undefined for a file that was removed meanwhile. */
export async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  return await asked.catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}
