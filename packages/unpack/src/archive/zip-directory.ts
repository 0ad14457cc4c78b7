import { CodedError, WorkSlices, present } from '@dmarc-ledger/vocabulary';
import { fromBufferPromise, fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import type { Readable } from 'node:stream';
import type { ByteSource } from '../byte-source.ts';
import { unreadable, UnpackError } from '../errors.ts';
import { findZipEnd, withoutComment } from './zip-end.ts';

/** A member, and where its compressed bytes begin; the place is missing when its local header is unreadable. */
export interface ZipEntry {
  entry: Entry;
  name: Buffer;
  dataStart: number | null;
}

/** The members of a zip up to the first unreadable one, and the fault of the directory from there on. */
export interface ZipDirectory {
  entries: ZipEntry[];
  error: UnpackError | null;
  /** Something other than line ends and zeros follows the zip. */
  hasTrailingBytes: boolean;
}

class SourceReader extends RandomAccessReader {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    super();
    this.#source = source;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return this.#source.open(start, end);
  }
}

/** Reads the directory, and never uses names as paths; the number of members is checked before any is read. */
export async function readZipDirectory(source: ByteSource, most: number): Promise<ZipDirectory> {
  const { zip, hasTrailingBytes } = await openZip(source);
  if (zip.entryCount > most) {
    throw new UnpackError('archive_too_many_entries', `the zip has ${zip.entryCount} members`);
  }
  const entries: ZipEntry[] = [];
  const work = new WorkSlices();
  try {
    for await (const entry of zip.eachEntry()) {
      entries.push({ entry, name: entry.fileNameRaw, dataStart: await dataStart(zip, entry) });
      await work.pause();
    }
  } catch (cause) {
    const error = unreadable('archive_malformed', 'the directory of the zip is damaged', cause);
    if (!(error instanceof UnpackError)) throw error;
    refuseOverlap(entries);
    return { entries, error, hasTrailingBytes };
  }
  refuseOverlap(entries);
  return { entries, error: null, hasTrailingBytes };
}

/**
 * A zip has to end with its comment, and no comment may contain the signature of the end: one that has something behind
 * it, or such a comment, is opened once more, up to where its directory ends.
 */
async function openZip(source: ByteSource): Promise<{ zip: ZipFile; hasTrailingBytes: boolean }> {
  try {
    return { zip: await openExact(source), hasTrailingBytes: false };
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    const end = await findZipEnd(source);
    if (!end) throw noDirectory(cause);
    const zip = await openExact(withoutComment(source, end)).catch((again: unknown) => {
      throw noDirectory(again);
    });
    return { zip, hasTrailingBytes: end.hasTrailingBytes };
  }
}

async function openExact(source: ByteSource): Promise<ZipFile> {
  const options = { lazyEntries: true, decodeStrings: false, autoClose: false, validateEntrySizes: false };
  if (source.bytes) return await fromBufferPromise(source.bytes, options);
  return await fromRandomAccessReaderPromise(new SourceReader(source), source.size, options);
}

function noDirectory(cause: unknown): CodedError {
  return unreadable('archive_malformed', 'the zip has no readable directory', cause);
}

async function dataStart(zip: ZipFile, entry: Entry): Promise<number | null> {
  try {
    return (await zip.readLocalFileHeaderPromise(entry, { minimal: true })).fileDataStart;
  } catch (error) {
    if (error instanceof CodedError) throw error; // the store's fault, not the zip's
    return null;
  }
}

/** Members that share bytes multiply the content of the file: no archiver does that. */
function refuseOverlap(entries: readonly ZipEntry[]): void {
  const ranges = entries
    .flatMap(({ entry, dataStart }) =>
      dataStart === null ? [] : [{ start: entry.relativeOffsetOfLocalHeader, end: dataStart + entry.compressedSize }],
    )
    .sort((a, b) => a.start - b.start);
  const overlaps = ranges.some(({ start }, i) => i > 0 && start < present(ranges[i - 1]).end);
  if (overlaps) throw new UnpackError('archive_malformed', 'members of the zip overlap');
}
