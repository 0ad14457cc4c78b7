import { createHash, randomUUID } from 'node:crypto';
import { closeSync, createReadStream, fsync, openSync } from 'node:fs';
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { present } from '@dmarc-ledger/vocabulary';
import type { Blob, BlobStore, StoredBlob } from './blob-store.ts';
import { checked, checkedParts } from './checked.ts';
import { BlobError } from './errors.ts';
import { fileMissing, unreadable } from './file-fault.ts';
import { removeOld, unlessGone } from './leftovers.ts';
import { type BlobFolders, putFiles } from './put-files.ts';

const NAME = /^[0-9a-f]{64}$/;
const sync = promisify(fsync);

/**
 * Blobs as files: `ab/<sha256>` under a folder. A temporary file is synced, renamed, and its folder synced. An existing
 * file counts only when it holds the same bytes: otherwise it is replaced.
 */
export async function fileBlobs(folder: string): Promise<BlobStore> {
  const temporary = join(folder, 'tmp');
  await mkdir(temporary, { recursive: true });
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
      return present((await putFiles(folders, [bytes]))[0]);
    },

    putAll: (contents) => putFiles(folders, contents),

    async putStream(chunks, limit): Promise<StoredBlob> {
      const path = join(temporary, randomUUID());
      const digest = createHash('sha256');
      let size = 0;
      try {
        await writeDurably(
          path,
          watched(chunks, (chunk) => {
            size += chunk.length;
            if (size > limit) throw new BlobError('blob_too_large', `More than ${limit} bytes.`);
            digest.update(chunk);
          }),
        );
        const sha256 = digest.digest();
        await settle(path, sha256.toString('hex'));
        return { sha256, size };
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },

    async get(sha256): Promise<Blob> {
      const path = pathOf(sha256);
      const missing = () => fileMissing(temporary, sha256);
      const found = await unlessGone(stat(path)).catch(unreadable);
      if (!found) throw await missing();
      const { size } = found;
      return {
        size,
        open: checkedParts(sha256, size, (start, end) => chunksOf(path, start, end)),
        bytes: async () => {
          const bytes = await unlessGone(readFile(path)).catch(unreadable);
          if (!bytes) throw await missing();
          return await checked(bytes, sha256);
        },
      };
    },

    async delete(sha256): Promise<void> {
      await rm(pathOf(sha256), { force: true });
    },

    async *list() {
      for (const part of await readdir(folder)) {
        if (!/^[0-9a-f]{2}$/.test(part)) continue;
        for await (const { name } of await opendir(join(folder, part))) {
          const lain = NAME.test(name) && (await unlessGone(stat(join(folder, part, name))));
          if (lain) yield { sha256: Buffer.from(name, 'hex'), storedAt: lain.mtime };
        }
      }
    },

    removeLeftovers: (before) => removeOld(temporary, before),

    async freeSpace() {
      const { bavail, blocks } = await statfs(folder);
      return blocks === 0 ? null : bavail / blocks; // space reserved for root does not count
    },
  };
}

async function writeDurably(path: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of chunks) await writeAll(file, chunk);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let rest = chunk;
  while (rest.length > 0) rest = rest.subarray((await file.write(rest)).bytesWritten);
}

async function* watched(
  chunks: AsyncIterable<Uint8Array>,
  see: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    see(chunk);
    yield chunk;
  }
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
