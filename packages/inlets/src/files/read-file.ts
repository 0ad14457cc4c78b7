import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { IN_MEMORY_LIMIT, type FoundFile } from './found-file.ts';
import { beginsLikeGzip, beginsLikeMbox, beginsLikeTar, peek } from './peek.ts';
import { readMbox } from './read-mbox.ts';
import { readTar } from './read-tar.ts';

/** A file up to this size is read in one go. */
const SMALL = 262_144;

/** A path for the file system: bytes, where a name is not valid UTF-8 and would not be found again as text. */
export type Path = string | Buffer;

/**
 * The deliveries in a file: itself, or those inside it. It is opened once; one that is not large is read into memory.
 * Throws the error of the file system for a file that cannot be read.
 */
export async function* readFile(path: Path, isRegular: boolean): AsyncGenerator<FoundFile> {
  const small = isRegular ? readSmall(path) : undefined;
  if (small) return yield* readWhole(path.toString(), small);
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size <= IN_MEMORY_LIMIT) yield* readWhole(path.toString(), await bytesOf(file, size));
    else yield* readStream(path.toString(), file.createReadStream({ highWaterMark: 262_144, autoClose: false }), size);
  } finally {
    await file.close();
  }
}

/**
 * The bytes of a small file; undefined for a larger one. Reading it here takes less time than to have a thread open,
 * measure, read and close it, one after the other.
 */
function readSmall(path: Path): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size === 0 || size > SMALL) return undefined;
    const bytes = Buffer.allocUnsafeSlow(size);
    return bytes.subarray(0, readSync(file, bytes, 0, size, 0));
  } finally {
    closeSync(file);
  }
}

/** The bytes of a file of this size; all that comes from what has no size, such as a pipe. */
async function bytesOf(file: FileHandle, size: number): Promise<Buffer> {
  if (size === 0) return await file.readFile();
  const bytes = Buffer.allocUnsafeSlow(size);
  let read = 0;
  while (read < size) {
    const { bytesRead } = await file.read(bytes, read, size - read, read);
    if (bytesRead === 0) break; // it has become shorter
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

async function* readWhole(name: string, content: Buffer): AsyncGenerator<FoundFile> {
  const inside = membersOf(name, content, once(content));
  if (inside) yield* inside;
  else yield { name, content };
}

/** The deliveries in a stream of bytes: itself, or those inside it. */
export async function* readStream(name: string, stream: Readable, size?: number): AsyncGenerator<FoundFile> {
  const { head, rest } = await peek(stream);
  yield* membersOf(name, head, rest) ?? [{ name, content: rest, ...(size !== undefined && { size }) }];
}

/** The deliveries inside a file that holds several, or nothing when it is a delivery itself. */
function membersOf(
  name: string,
  head: Buffer,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<FoundFile> | undefined {
  if (beginsLikeMbox(head)) return readMbox(name, content);
  if (beginsLikeTar(head)) return readTar(name, content);
  return beginsLikeGzip(head) && /\.(tar\.gz|tgz)$/i.test(name) ? readTar(name, content, createGunzip()) : undefined;
}

async function* once(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
