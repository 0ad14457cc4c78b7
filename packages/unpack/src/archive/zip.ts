import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';
import type { ByteSource } from '../byte-source.ts';
import { heldContent, sourceContent, type Content } from '../content.ts';
import type { DeliveryBudget } from '../delivery-budget.ts';
import { UnpackError } from '../errors.ts';
import { HELD_AT_ONCE, MAX_STREAMED, PACKED_AT_ONCE } from '../limits.ts';
import { ByteReader } from './byte-reader.ts';
import { inflateRaw } from './inflate.ts';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';

/** A non-empty member: its content, or why it cannot be read. */
export interface Member {
  name: string | null;
  content: Content | UnpackError;
}

const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 0x1;
const FILE_TYPE = 0o170000;
const SYMLINK = 0o120000;

export interface ZipContent {
  /** The number of non-empty members. */
  files: number;
  /** Opened one by one, as they are requested. */
  members: AsyncIterable<Member>;
  hasFolders: boolean;
  /** Something other than line ends and zeros follows the zip. */
  hasTrailingBytes: boolean;
  /** The fault of the directory after the last member. */
  error: UnpackError | null;
}

/** The members of a zip, without folders, links and empty ones. (APPNOTE 6.3.10) */
export async function readZip(source: ByteSource, budget: DeliveryBudget): Promise<ZipContent> {
  const { entries, error, hasTrailingBytes } = await readZipDirectory(source, budget.allowance.members);
  const files = entries.filter(isFile);
  async function* members() {
    for (const entry of files) yield { name: nameOf(entry), content: await memberContent(source, entry, budget) };
  }
  return { files: files.length, members: members(), hasFolders: entries.some(isFolder), hasTrailingBytes, error };
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

async function memberContent(
  source: ByteSource,
  { entry, dataStart }: ZipEntry,
  budget: DeliveryBudget,
): Promise<Content | UnpackError> {
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
  const isSmall = entry.uncompressedSize <= Math.min(HELD_AT_ONCE, budget.inflatable);
  return packed.bytes && packed.bytes.length <= PACKED_AT_ONCE && isSmall
    ? unpackAtOnce(packed.bytes, entry, budget)
    : unpackStreaming(packed, entry, budget);
}

function unpackAtOnce(bytes: Buffer, entry: Entry, budget: DeliveryBudget): Content | UnpackError {
  const content = inflateWhole(bytes, entry);
  if (content instanceof UnpackError) return content;
  if (content.length !== entry.uncompressedSize || crc32(content) !== entry.crc32) return mismatch();
  budget.meter().reach(content.length);
  return heldContent(content);
}

function inflateWhole(bytes: Buffer, entry: Entry): Buffer | UnpackError {
  if (entry.compressionMethod === STORED) return bytes;
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, entry.uncompressedSize) });
  } catch (cause) {
    return mismatch(cause);
  }
}

function unpackStreaming(packed: Content, entry: Entry, budget: DeliveryBudget): Content {
  const meter = budget.meter();
  return {
    bytes: null,
    found: [],
    async *open(note) {
      const sum = { crc: 0, size: 0 };
      const count = (piece: Buffer) => {
        sum.crc = crc32(piece, sum.crc);
        sum.size += piece.length;
        meter.reach(sum.size);
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
