import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FoundFile } from './found-file.ts';
import { IN_MEMORY_LIMIT } from './found-file.ts';
import { beginsLikeGzip, beginsLikeMbox, beginsLikeTar, peek } from './peek.ts';
import { readMbox } from './read-mbox.ts';
import { readTar } from './read-tar.ts';

/** A file up to this size is read in one go. */
const SMALL = 262_144;

/** A path for the file system: bytes, where a name is not valid UTF-8 and would not be found again as text. */
type Path = string | Buffer;

/** A requested path that could not be opened. */
export interface Unreadable {
  name: string;
  error: Error;
}

/**
 * The deliveries at the given paths: files, folders with everything below them, mailbox files, Maildirs and tar
 * archives one by one, `-` for standard input. The content decides what a file is. An unreadable path does not end the
 * walk.
 */
export async function* readPaths(
  paths: Iterable<string>,
  stdin: Readable = process.stdin,
): AsyncGenerator<FoundFile | Unreadable> {
  for (const path of paths) {
    if (path === '-') yield* readStream('stdin', stdin);
    else yield* readPath(path);
  }
}

async function* readPath(path: Path, above: ReadonlySet<string> = new Set()): AsyncGenerator<FoundFile | Unreadable> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) yield* readFolder(path, `${found.dev} ${found.ino}`, above);
    else yield* readFile(path, found.isFile());
  } catch (error) {
    yield unreadable(path, error);
  }
}

function unreadable(path: Path, error: unknown): Unreadable {
  return { name: path.toString(), error: error instanceof Error ? error : new Error(String(error)) };
}

/** A file is opened once; one that is not large is read into memory. */
async function* readFile(path: Path, isRegular: boolean): AsyncGenerator<FoundFile | Unreadable> {
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

/** Every file below a folder, sorted by name; of a Maildir, the delivered mails. */
async function* readFolder(
  folder: Path,
  identity: string,
  above: ReadonlySet<string>,
): AsyncGenerator<FoundFile | Unreadable> {
  if (above.has(identity)) return; // a link leads back up
  const entries = await entriesOf(folder);
  const names = new Set(entries.map(({ name }) => name));
  const isMaildir = ['cur', 'new', 'tmp'].every((name) => names.has(name));
  for (const { name, path, isFile } of entries) {
    if (isMaildir && name === 'tmp') continue;
    if (isFile) {
      if (!name.startsWith('.')) yield* readFound(path);
      continue;
    }
    const found = await stat(path).catch(() => undefined); // also where a link leads
    if (name.startsWith('.') && !found?.isDirectory()) continue;
    if (!found || found.isFile() || found.isDirectory()) yield* readPath(path, new Set([...above, identity]));
    else yield unreadable(path, new Error('it is no regular file')); // a pipe would be waited for
  }
}

/** What is in a folder, sorted by name. */
async function entriesOf(folder: Path): Promise<{ name: string; path: Path; isFile: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  return entries
    .map((entry) => {
      const name = entry.name.toString();
      return { name, path: pathIn(folder, entry.name, name), isFile: entry.isFile() };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function pathIn(folder: Path, bytes: Buffer, name: string): Path {
  if (typeof folder === 'string' && Buffer.from(name).equals(bytes)) return join(folder, name);
  return Buffer.concat([Buffer.from(folder), Buffer.from(sep), bytes]);
}

async function* readFound(path: Path): AsyncGenerator<FoundFile | Unreadable> {
  try {
    yield* readFile(path, true);
  } catch (error) {
    yield unreadable(path, error);
  }
}

async function* readWhole(name: string, content: Buffer): AsyncGenerator<FoundFile> {
  const inside = membersOf(name, content, once(content));
  if (inside) yield* inside;
  else yield { name, content };
}

async function* readStream(name: string, stream: Readable, size?: number): AsyncGenerator<FoundFile> {
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
