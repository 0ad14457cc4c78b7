import { crc32, gunzipSync } from 'node:zlib';
import { heldContent, type Content, type Note } from '../content.ts';
import type { DeliveryBudget, Meter } from '../delivery-budget.ts';
import { UnpackError } from '../errors.ts';
import { HELD_AT_ONCE, MAX_GZIP_MEMBERS, PACKED_AT_ONCE } from '../limits.ts';
import { ByteReader } from './byte-reader.ts';
import { readGzipHeader } from './gzip-header.ts';
import { inflateRaw } from './inflate.ts';
import { isPadding } from './padding.ts';

const TRAILER = 8;
const LENGTH_FIELD = 4;
const HELD_LINE_ENDS = 4_096;

/** The content of a gzip (RFC 1952); small ones are inflated at once. */
export function gunzip(packed: Content, budget: DeliveryBudget): Content {
  const meter = budget.meter();
  const bytes = packed.bytes ? gunzipAtOnce(packed.bytes, Math.min(budget.inflatable, HELD_AT_ONCE)) : null;
  if (bytes) {
    meter.reach(bytes.length);
    return heldContent(bytes, packed.found);
  }
  return {
    bytes: null,
    found: packed.found,
    open: (note) => gunzipStream(new ByteReader(withoutLineEnd(packed.open(note))), meter, note),
  };
}

/**
 * Null when the content is too large or faulty, the gzip has several members, or something follows it: then the
 * streaming reader handles it. Whatever is behind a zero, zlib ignores.
 */
function gunzipAtOnce(bytes: Buffer, limit: number): Buffer | null {
  if (bytes.length > PACKED_AT_ONCE || limit < 1) return null;
  try {
    const packed = bytes.subarray(0, endWithoutLineEnd(bytes));
    const content = gunzipSync(packed, { maxOutputLength: limit });
    return isPadding(packed.subarray(endOfGzip(packed, content.length))) ? content : null;
  } catch {
    return null;
  }
}

/** The place behind the length that ends a gzip of one member. */
function endOfGzip(bytes: Buffer, length: number): number {
  const field = Buffer.alloc(LENGTH_FIELD);
  field.writeUInt32LE(length);
  return bytes.lastIndexOf(field) + LENGTH_FIELD;
}

/**
 * Inflates member after member, as RFC 1952 joins them. Faults that a reader of the content can judge (a missing end, a
 * wrong checksum, bytes after the end) become warnings and are not refused.
 */
async function* gunzipStream(reader: ByteReader, meter: Meter, note: Note): AsyncGenerator<Buffer, void, undefined> {
  let inflated = 0;
  try {
    for (let member = 0; await isMember(reader, member, note); member += 1) {
      if (member >= MAX_GZIP_MEMBERS)
        throw new UnpackError('archive_too_many_entries', `the gzip has more than ${MAX_GZIP_MEMBERS} members`);
      const sum = { crc: 0, size: 0 };
      yield* inflateRaw(reader, (piece) => {
        sum.crc = crc32(piece, sum.crc);
        sum.size += piece.length;
        inflated += piece.length;
        meter.reach(inflated);
      });
      checkTrailer(await reader.read(TRAILER), sum, note);
    }
  } catch (error) {
    if (!(error instanceof UnpackError) || error.code !== 'gzip_truncated') throw error;
    note('gzip_truncated');
  } finally {
    await reader.close();
  }
}

/** Leaves the reader after the header of a member; padding and other bytes after the last one are no member. */
async function isMember(reader: ByteReader, index: number, note: Note): Promise<boolean> {
  const start = await reader.read(2);
  if (start.length === 0) return false;
  if (start[0] === 0x1f && start[1] === 0x8b) {
    await readGzipHeader(reader);
    return true;
  }
  if (index === 0) throw new UnpackError('archive_malformed', 'no gzip header');
  reader.unread(start);
  if (!(await hasOnlyPadding(reader))) note('gzip_trailing_bytes');
  return false;
}

async function hasOnlyPadding(reader: ByteReader): Promise<boolean> {
  for (let chunk = await reader.next(); chunk; chunk = await reader.next()) if (!isPadding(chunk)) return false;
  return true;
}

function checkTrailer(trailer: Buffer, { crc, size }: { crc: number; size: number }, note: Note): void {
  if (trailer.length < TRAILER) note('gzip_truncated');
  else if (trailer.readUInt32LE(0) !== crc || trailer.readUInt32LE(4) !== size % 2 ** 32) note('gzip_bad_crc');
}

/** Mail gateways append line ends to the last member; more than a few of them are not buffered. */
async function* withoutLineEnd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const end = endWithoutLineEnd(chunk);
    if (end === 0 && held.length + chunk.length < HELD_LINE_ENDS) {
      held = Buffer.concat([held, chunk]);
      continue;
    }
    if (held.length > 0) yield held;
    if (end > 0) yield chunk.subarray(0, end);
    held = chunk.subarray(end);
  }
}

function endWithoutLineEnd(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d)) end -= 1;
  return end;
}
