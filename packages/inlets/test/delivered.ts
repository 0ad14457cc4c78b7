import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { readPaths } from '../src/index.ts';

/** Everything found at the paths, content read to its end; for an unreadable path, the message of its error. */
export async function delivered(paths: string[], stdin?: Readable): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const file of readPaths(paths, stdin)) {
    if ('error' in file) found.push([file.name, `unreadable: ${file.error.message}`]);
    else found.push([file.name, await textOf(file.content)]);
  }
  return found;
}

async function textOf(content: Buffer | AsyncIterable<Uint8Array>): Promise<string> {
  return (Buffer.isBuffer(content) ? content : await buffer(content)).toString('latin1');
}

/** A folder with these files, by their paths in it. */
export function folderOf(files: { [path: string]: string | Buffer }): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'dmarc-ledger-inlets-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

export async function tarOf(members: { [name: string]: string | Buffer }): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name: 'a folder/', type: 'directory' });
  for (const [name, content] of Object.entries(members)) archive.entry({ name }, content as string);
  archive.finalize();
  return await buffer(archive);
}

/** The bytes in pieces of that size, as a network or a pipe brings them. */
export function inPieces(bytes: Buffer, size: number): Readable {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  return Readable.from(pieces, { objectMode: false });
}
