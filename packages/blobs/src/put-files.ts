import { hash, randomUUID } from 'node:crypto';
import { closeSync, fdatasync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WorkSlices } from '@dmarc-ledger/vocabulary';
import type { StoredBlob } from './blob-store.ts';

const sync = promisify(fdatasync);
/** Files that are open at a time. */
const AT_ONCE = 64;

/** Where blobs lie, and how a folder of them is made and synced. */
export interface BlobFolders {
  temporary: string;
  pathOf(sha256: Buffer): string;
  /** The folder of a blob, which exists now. */
  folderOf(sha256: Buffer): Promise<string>;
  syncFolder(folder: string): Promise<void>;
}

/**
 * Writes contents as files, and returns once all of them are durable: each file is synced and renamed, then each folder
 * is synced once. Only syncing is left to a thread: what the cache of the file system answers costs less than to hand
 * it over.
 */
export async function putFiles(folders: BlobFolders, contents: readonly Buffer[]): Promise<StoredBlob[]> {
  const work = new WorkSlices();
  const blobs: StoredBlob[] = [];
  const fresh = new Map<string, StoredBlob & { bytes: Buffer }>();
  const touched = new Set<string>();
  for (const bytes of contents) {
    await work.pause();
    const blob = { sha256: hash('sha256', bytes, 'buffer'), size: bytes.length };
    blobs.push(blob);
    if (!(await holds(folders.pathOf(blob.sha256), bytes))) fresh.set(blob.sha256.toString('hex'), { ...blob, bytes });
    touched.add(await folders.folderOf(blob.sha256)); // also of a file that another process may not have finished
  }
  const waiting = [...fresh.values()];
  for (let at = 0; at < waiting.length; at += AT_ONCE) {
    await writeDurably(
      folders.temporary,
      waiting.slice(at, at + AT_ONCE).map(({ sha256, bytes }) => ({ bytes, path: folders.pathOf(sha256) })),
    );
  }
  await Promise.all([...touched].map((folder) => folders.syncFolder(folder)));
  return blobs;
}

/** Writes and syncs temporary files, and then renames them. When one fails, no temporary file remains. */
async function writeDurably(folder: string, files: readonly { path: string; bytes: Buffer }[]): Promise<void> {
  const work = new WorkSlices();
  const written: { from: string; path: string }[] = [];
  const open: number[] = [];
  try {
    for (const { path, bytes } of files) {
      await work.pause();
      const from = join(folder, randomUUID());
      const file = openSync(from, 'wx', 0o600);
      written.push({ from, path });
      open.push(file);
      for (let rest = bytes; rest.length > 0;) rest = rest.subarray(writeSync(file, rest));
    }
    const ends = await Promise.allSettled(open.map((file) => sync(file)));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    for (const { from, path } of written) renameSync(from, path);
  } catch (error) {
    for (const { from } of written) rmSync(from, { force: true });
    throw error;
  } finally {
    for (const file of open) closeSync(file);
  }
}

/** Whether a file holds exactly these bytes; an unreadable file does not. */
async function holds(path: string, bytes: Buffer): Promise<boolean> {
  if (statSync(path, { throwIfNoEntry: false })?.size !== bytes.length) return false;
  return await readFile(path).then(
    (stored) => stored.equals(bytes),
    () => false,
  );
}
