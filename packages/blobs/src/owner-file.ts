import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireStore, TEMPORARY, unreadable } from './file-fault.ts';
import { unlessGone } from './leftovers.ts';

/** Beside the folders of blobs, and no name of one. */
export const OWNER = 'owner';

/** The file of a folder of blobs that names the ledger which uses it. */
export function ownerFile(folder: string) {
  const path = join(folder, OWNER);
  return {
    async owner(): Promise<string | undefined> {
      requireStore(folder);
      return await unlessGone(readFile(path, 'utf8')).catch(unreadable);
    },
    async setOwner(owner: string): Promise<void> {
      requireStore(folder);
      const draft = join(folder, TEMPORARY, randomUUID());
      await writeFile(draft, owner, { mode: 0o600 });
      await rename(draft, path);
    },
  };
}
