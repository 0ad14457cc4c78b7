import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** Where the build puts the help: beside the code, in a checkout and in the package. */
const BUILT = fileURLToPath(new URL('./help', import.meta.url));

const TYPES: { [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.webp': 'image/webp',
};

/** A file of the help as it is sent. */
export interface HelpFile {
  type: string;
  body: Buffer;
  /** Undefined for what is compressed already. */
  gzipped: Buffer | undefined;
  /** By its content: packages of npm give all files the same time. */
  etag: string;
}

/** Reads a file at the first request, and keeps it. */
export type OpenHelpFile = () => Promise<HelpFile>;

/** The files of the help by their address, such as `/help/limits`; none where it has not been built. */
export async function findHelp(folder = BUILT): Promise<ReadonlyMap<string, OpenHelpFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const served = paths.filter((path) => extname(path) in TYPES);
  return new Map(served.map((path) => [addressOf(relative(folder, path)), openOnce(path)]));
}

function addressOf(path: string): string {
  const name = path.split(sep).join('/');
  return name === 'index.html' ? '/help' : `/help/${name.replace(/\.html$/, '')}`;
}

function openOnce(path: string): OpenHelpFile {
  let opened: Promise<HelpFile> | undefined;
  return async () => await (opened ??= openFile(path));
}

async function openFile(path: string): Promise<HelpFile> {
  const body = await readFile(path);
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const gzipped = type.startsWith('image/') ? undefined : await compress(body);
  return { type, body, gzipped, etag: `W/"${hash}"` };
}
