import { readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import type { FoundFile } from './found-file.ts';
import { readFile, readStream, type Path } from './read-file.ts';

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
