import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './folder.ts';

/** A file system of its own, small enough to be filled. */
export interface SmallDisk extends Disposable {
  path: string;
  /** Leaves no byte free. */
  fill(): void;
  /** Gives back what `fill` took. */
  empty(): void;
}

const PIECE = Buffer.alloc(64 * 1024);

/** Mounts a small disk; undefined where this user may mount none. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const folder = temporaryFolder();
  const { path } = folder;
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', path]);
  if (status !== 0) {
    folder[Symbol.dispose]();
    return undefined;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (let size = PIECE.length; size >= 1;) size = writes(file, size) ? size : Math.floor(size / 2);
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filler, { force: true }),
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', path]);
      folder[Symbol.dispose]();
    },
  };
}

function writes(file: number, size: number): boolean {
  try {
    return writeSync(file, PIECE, 0, size) > 0;
  } catch {
    return false;
  }
}
