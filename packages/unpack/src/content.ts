import { WorkSlices, type Warning } from '@dmarc-ledger/vocabulary';
import { slices, type ByteSource } from './byte-source.ts';
import { UnpackError } from './errors.ts';
import { HEAD, HELD_AT_ONCE } from './limits.ts';

/** Records a warning that shows only while content is read. */
export type Note = (code: string, detail?: string | null) => void;

/** One opened layer of a delivery: its bytes when they are in memory, or a way to read them. */
export interface Content {
  readonly bytes: Buffer | null;
  /** Warnings met while opening it. */
  readonly found: readonly Warning[];
  /** May be called again. Every limit is held while reading. */
  open(note: Note): AsyncIterable<Buffer>;
}

export function heldContent(bytes: Buffer, found: readonly Warning[] = []): Content {
  return {
    bytes,
    found,
    async *open() {
      const work = new WorkSlices();
      for (const piece of slices(bytes)) {
        yield piece;
        await work.pause();
      }
    },
  };
}

/** A range of a source; a small one is read at once. */
export async function sourceContent(source: ByteSource, start = 0, end = source.size): Promise<Content> {
  const size = end - start;
  if (source.bytes) return heldContent(source.bytes.subarray(start, end));
  const content: Content = { bytes: null, found: [], open: () => source.open(start, end) };
  return size <= HELD_AT_ONCE ? heldContent(await readAll(content, HELD_AT_ONCE)) : content;
}

/** The first bytes of a content, enough to detect its kind. */
export async function readHead(content: Content, note: Note): Promise<Buffer> {
  if (content.bytes) return content.bytes.subarray(0, HEAD);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of content.open(note)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= HEAD) break;
  }
  return Buffer.concat(chunks).subarray(0, HEAD);
}

/** The whole content; refused when it is longer than `limit`. */
export async function readAll(content: Content, limit: number, note: Note = () => undefined): Promise<Buffer> {
  const bytes = await readUpTo(content, limit, note);
  if (!bytes) throw new UnpackError('payload_too_large', `more than ${limit} bytes`);
  return bytes;
}

/** The whole content, or null when it is longer than `limit`. */
async function readUpTo(content: Content, limit: number, note: Note): Promise<Buffer | null> {
  if (content.bytes) return content.bytes.length <= limit ? content.bytes : null;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of content.open(note)) {
    length += chunk.length;
    if (length > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
