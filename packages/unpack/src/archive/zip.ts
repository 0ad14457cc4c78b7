import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';
import type { ByteSource } from '../byte-source.ts';
import { heldContent, inflationError, inflationLimit, sourceContent, type Content } from '../content.ts';
import { UnpackError } from '../errors.ts';
import { HELD_AT_ONCE, MAX_STREAMED } from '../limits.ts';
import { ByteReader } from './byte-reader.ts';
import { inflateRaw } from './inflate.ts';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';

/** A member that holds something: its content, or why it cannot be had. */
export interface Member {
  name: string | null;
  content: Content | UnpackError;
}

const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 0x1;
const FILE_TYPE = 0o170000;
const SYMLINK = 0o120000;

/** The members of a zip, without folders, links and empty ones. (APPNOTE 6.3.10) */
export async function readZip(
  source: ByteSource,
): Promise<{ members: Member[]; hasFolders: boolean; error: UnpackError | null }> {
  const { entries, error } = await readZipDirectory(source);
  const members: Member[] = [];
  for (const entry of entries.filter(isFile))
    members.push({ name: nameOf(entry), content: await memberContent(source, entry) });
  return { members, hasFolders: entries.some(isFolder), error };
}

function isFolder({ name }: ZipEntry): boolean {
  return name.at(-1) === 0x2f;
}

function isFile(member: ZipEntry): boolean {
  const { entry, name } = member;
  const isLink = ((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMLINK;
  const isResourceFork = name.toString('latin1').startsWith('__MACOSX/');
  return !isFolder(member) && !isLink && !isResourceFork && !(name.length === 0 && entry.uncompressedSize === 0);
}

function nameOf({ name }: ZipEntry): string | null {
  return name.length === 0 ? null : name.toString('utf8');
}

async function memberContent(source: ByteSource, { entry, dataStart }: ZipEntry): Promise<Content | UnpackError> {
  if (entry.generalPurposeBitFlag & ENCRYPTED) return new UnpackError('zip_encrypted', 'the member is encrypted');
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    return new UnpackError('zip_unsupported_method', `compression method ${entry.compressionMethod}`);
  }
  if (entry.uncompressedSize > MAX_STREAMED)
    return new UnpackError('payload_too_large', `the member has ${entry.uncompressedSize} bytes`);
  if (dataStart === null || dataStart + entry.compressedSize > source.size) {
    return new UnpackError('archive_malformed', 'the member lies outside of the zip');
  }
  const packed = await sourceContent(source, dataStart, dataStart + entry.compressedSize);
  return packed.bytes && entry.uncompressedSize <= HELD_AT_ONCE
    ? unpackAtOnce(packed.bytes, entry)
    : unpackStreaming(packed, entry);
}

function unpackAtOnce(bytes: Buffer, entry: Entry): Content | UnpackError {
  try {
    const limit = inflationLimit(entry.compressedSize);
    if (entry.uncompressedSize > limit) return inflationError(limit);
    const maxOutputLength = Math.max(1, entry.uncompressedSize);
    const content = entry.compressionMethod === STORED ? bytes : inflateRawSync(bytes, { maxOutputLength });
    if (content.length === entry.uncompressedSize && crc32(content) === entry.crc32)
      return heldContent(content, entry.compressedSize);
    return mismatch();
  } catch (cause) {
    return mismatch(cause);
  }
}

function unpackStreaming(packed: Content, entry: Entry): Content {
  return {
    origin: packed.origin,
    bytes: null,
    found: [],
    async *open(note) {
      const limit = inflationLimit(packed.origin);
      const sum = { crc: 0, size: 0 };
      const count = (piece: Buffer) => {
        sum.crc = crc32(piece, sum.crc);
        sum.size += piece.length;
        if (sum.size > limit) throw inflationError(limit);
        if (sum.size > entry.uncompressedSize) throw mismatch();
      };
      const chunks = packed.open(note);
      if (entry.compressionMethod === DEFLATED) yield* inflateRaw(new ByteReader(chunks), count);
      else
        for await (const chunk of chunks) {
          count(chunk);
          yield chunk;
        }
      if (sum.size !== entry.uncompressedSize || sum.crc !== entry.crc32) throw mismatch();
    },
  };
}

function mismatch(cause?: unknown): UnpackError {
  return new UnpackError('archive_malformed', 'the member is not what the directory of the zip says', { cause });
}
