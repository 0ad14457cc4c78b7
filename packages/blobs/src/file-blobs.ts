import { randomUUID } from 'node:crypto';
import { closeSync, createReadStream, fsync, openSync } from 'node:fs';
import { mkdir, opendir, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { present } from '@dmarc-ledger/vocabulary';
import type { Blob, BlobStore, StoredBlob } from './blob-store.ts';
import { checked, checkedParts } from './checked.ts';
import { BlobError } from './errors.ts';
import { isStore, PART, requireStore, TEMPORARY, unreadable } from './file-fault.ts';
import { removeOld, unlessGone } from './leftovers.ts';
import { ownerFile } from './owner-file.ts';
import { type BlobFolders, putFiles } from './put-files.ts';
import { writeHashed } from './write-hashed.ts';

const NAME = /^[0-9a-f]{64}$/;
const sync = promisify(fsync);

/**
 * Blobs as files: `ab/<sha256>` under a folder. A temporary file is synced, renamed, and its folder synced. An existing
 * file counts only when it holds the same bytes: otherwise it is replaced.
 */
export async function fileBlobs(folder: string, mayBegin: (folder: string) => Promise<boolean>): Promise<BlobStore> {
  const temporary = join(folder, TEMPORARY);
  if (isStore(folder) || (await mayBegin(folder))) await mkdir(temporary, { recursive: true });
  const known = new Set<string>();

  const folderOf = async (name: string) => {
    const parent = join(folder, name.slice(0, 2));
    if (!known.has(parent)) {
      await mkdir(parent, { recursive: true });
      await syncFolder(folder);
      known.add(parent);
    }
    return parent;
  };

  const settle = async (from: string, name: string) => {
    const parent = await folderOf(name);
    await rename(from, join(parent, name));
    await syncFolder(parent);
  };

  const pathOf = (sha256: Buffer) => {
    const name = sha256.toString('hex');
    return join(folder, name.slice(0, 2), name);
  };

  const folders: BlobFolders = {
    temporary,
    pathOf,
    folderOf: (sha256) => folderOf(sha256.toString('hex')),
    syncFolder,
  };

  return {
    async put(bytes): Promise<StoredBlob> {
      requireStore(folder);
      return present((await putFiles(folders, [bytes]))[0]);
    },

    async putAll(contents) {
      requireStore(folder);
      return await putFiles(folders, contents);
    },

    async putStream(chunks, limit): Promise<StoredBlob> {
      requireStore(folder);
      const path = join(temporary, randomUUID());
      try {
        const blob = await writeHashed(path, chunks, { limit, isSynced: true });
        await settle(path, blob.sha256.toString('hex'));
        return blob;
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },

    async get(sha256): Promise<Blob> {
      const path = pathOf(sha256);
      const missing = () => {
        requireStore(folder);
        return new BlobError('blob_missing', `The stored bytes ${sha256.toString('hex')} are gone.`);
      };
      const found = await unlessGone(stat(path)).catch(unreadable);
      if (!found) throw missing();
      const { size } = found;
      return {
        size,
        open: checkedParts(sha256, size, (start, end) => chunksOf(path, start, end)),
        bytes: async () => {
          const bytes = await unlessGone(readFile(path)).catch(unreadable);
          if (!bytes) throw missing();
          return await checked(bytes, sha256);
        },
      };
    },

    async delete(sha256): Promise<void> {
      requireStore(folder);
      await rm(pathOf(sha256), { force: true });
    },

    async *list() {
      requireStore(folder);
      for (const part of await readdir(folder)) {
        if (!PART.test(part)) continue;
        for await (const { name } of await opendir(join(folder, part))) {
          const lain = NAME.test(name) && (await unlessGone(stat(join(folder, part, name))));
          if (lain) yield { sha256: Buffer.from(name, 'hex'), storedAt: lain.mtime };
        }
      }
    },

    async removeLeftovers(before) {
      requireStore(folder);
      return await removeOld(temporary, before);
    },

    ...ownerFile(folder),

    async freeSpace() {
      const found = await unlessGone(statfs(folder));
      if (!found || found.blocks === 0) return null;
      return found.bavail / found.blocks; // space reserved for root does not count
    },
  };
}

async function* chunksOf(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (end <= start) return;
  try {
    yield* createReadStream(path, { start, end: end - 1, highWaterMark: 65_536 });
  } catch (error) {
    unreadable(error);
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = openSync(path, 'r');
  try {
    await sync(folder);
  } finally {
    closeSync(folder);
  }
}
