import { Readable } from 'node:stream';
import type { ByteSource } from '../byte-source.ts';
import { readAll } from '../content.ts';
import { isPadding } from './padding.ts';

/** Where the directory of a zip really ends. */
export interface ZipEnd {
  /** The place behind the end of central directory record, without its comment. */
  end: number;
  /** Something other than line ends and zeros follows the comment. */
  hasTrailingBytes: boolean;
}

const RECORD = Buffer.from('504b0506', 'hex');
const RECORD_LENGTH = 22;
const ZIP64_LOCATOR = Buffer.from('504b0607', 'hex');
const ZIP64_LOCATOR_LENGTH = 20;
const ZIP64_RECORD = Buffer.from('504b0606', 'hex');
const ZIP64_RECORD_LENGTH = 56;
const DIRECTORY_ENTRY = Buffer.from('504b0102', 'hex');
/** The longest comment, and as many bytes behind it: no gateway's footer is longer. */
const SEARCHED = 2 * 0xff_ff + RECORD_LENGTH + ZIP64_LOCATOR_LENGTH;
/** Each record that is tried costs a reading of the source. */
const MOST_TRIED = 8;

/**
 * Finds the last end of central directory record that stands where the directory it names ends: a signature within a
 * comment, or within bytes behind the zip, does not. Null for none. (APPNOTE 4.3.6 and 4.3.16)
 */
export async function findZipEnd(source: ByteSource): Promise<ZipEnd | null> {
  const start = Math.max(0, source.size - SEARCHED);
  const tail = await read(source, start, source.size);
  let tried = 0;
  for (const at of placesOf(RECORD, tail)) {
    const behind = commentEnd(tail, at);
    const directory = behind <= tail.length ? directoryOf(tail, at, start) : null;
    if (!directory) continue;
    if (await isDirectory(source, directory)) {
      return { end: start + at + RECORD_LENGTH, hasTrailingBytes: !isPadding(tail.subarray(behind)) };
    }
    tried += 1;
    if (tried === MOST_TRIED) return null;
  }
  return null;
}

/** The source up to that end, with a record that announces no comment. */
export function withoutComment(source: ByteSource, { end }: ZipEnd): ByteSource {
  const length = Buffer.alloc(2);
  const cut = end - length.length;
  async function* range(from: number, to: number) {
    if (from < cut) yield* source.open(from, Math.min(to, cut));
    if (to > cut) yield length.subarray(Math.max(0, from - cut), to - cut);
  }
  return { size: end, open: (from = 0, to = end) => Readable.from(range(from, to), { objectMode: false }) };
}

/** Where the directory should be: between `offset` and `end`, or where a zip64 record at `end` says. */
interface Directory {
  offset: number;
  end: number;
  isEmpty: boolean;
  isZip64: boolean;
}

/** From the last place to the first one. */
function* placesOf(mark: Buffer, bytes: Buffer): Generator<number, void, undefined> {
  let at = bytes.length - RECORD_LENGTH;
  while (at >= 0) {
    at = bytes.lastIndexOf(mark, at);
    if (at < 0) return;
    yield at;
    at -= 1;
  }
}

function commentEnd(tail: Buffer, at: number): number {
  return at + RECORD_LENGTH + tail.readUInt16LE(at + 20);
}

function directoryOf(tail: Buffer, at: number, start: number): Directory | null {
  const locator = at - ZIP64_LOCATOR_LENGTH;
  if (locator >= 0 && ZIP64_LOCATOR.equals(tail.subarray(locator, locator + ZIP64_LOCATOR.length))) {
    const end = Number(tail.readBigUInt64LE(locator + 8));
    return end + ZIP64_RECORD_LENGTH <= start + locator ? { offset: 0, end, isEmpty: false, isZip64: true } : null;
  }
  const [entries, size, offset] = [tail.readUInt16LE(at + 10), tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (offset + size !== start + at) return null;
  return { offset, end: start + at, isEmpty: entries === 0 && size === 0, isZip64: false };
}

async function isDirectory(source: ByteSource, { offset, end, isEmpty, isZip64 }: Directory): Promise<boolean> {
  if (isEmpty) return true;
  if (!isZip64) return await startsWith(source, offset, DIRECTORY_ENTRY);
  const record = await read(source, end, end + ZIP64_RECORD_LENGTH);
  if (!ZIP64_RECORD.equals(record.subarray(0, ZIP64_RECORD.length))) return false;
  const [size, from] = [Number(record.readBigUInt64LE(40)), Number(record.readBigUInt64LE(48))];
  return from + size === end && (size === 0 || (await startsWith(source, from, DIRECTORY_ENTRY)));
}

async function startsWith(source: ByteSource, at: number, mark: Buffer): Promise<boolean> {
  return mark.equals(await read(source, at, at + mark.length));
}

async function read(source: ByteSource, start: number, end: number): Promise<Buffer> {
  if (source.bytes) return source.bytes.subarray(start, end);
  return await readAll({ bytes: null, found: [], open: () => source.open(start, end) }, end - start);
}
