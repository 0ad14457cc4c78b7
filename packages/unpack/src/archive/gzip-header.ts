import { UnpackError } from '../errors.ts';
import type { ByteReader } from './byte-reader.ts';

const HCRC = 2;
const EXTRA = 4;
const NAME = 8;
const COMMENT = 16;
const LONGEST_TEXT = 64 * 1024;

/** Skips a member header, of which the two magic bytes are already read. (RFC 1952, 2.3) */
export async function readGzipHeader(reader: ByteReader): Promise<void> {
  const fixed = await reader.read(8);
  if (fixed.length < 8) throw new UnpackError('gzip_truncated', 'the gzip ends in its header');
  if (fixed[0] !== 8) throw new UnpackError('archive_malformed', 'unknown gzip compression method');
  const flags = fixed.readUInt8(1);
  if (flags & EXTRA) {
    const length = await reader.read(2);
    if (length.length === 2) await reader.read(length.readUInt16LE(0));
  }
  if (flags & NAME) await skipText(reader);
  if (flags & COMMENT) await skipText(reader);
  if (flags & HCRC) await reader.read(2);
}

async function skipText(reader: ByteReader): Promise<void> {
  for (let skipped = 0; skipped < LONGEST_TEXT;) {
    const chunk = await reader.next();
    if (!chunk) throw new UnpackError('gzip_truncated', 'the gzip ends in its header');
    const end = chunk.indexOf(0);
    if (end >= 0) return reader.unread(chunk.subarray(end + 1));
    skipped += chunk.length;
  }
  throw new UnpackError('archive_malformed', 'a text in the gzip header does not end');
}
