import { cutText, markedText, printableText, type Warning } from '@dmarc-ledger/vocabulary';
import { slices } from './byte-source.ts';
import { beginReading, type BegunReading } from './begun-reading.ts';
import type { Content, Note } from './content.ts';
import { CHUNK, MAX_NAME } from './limits.ts';

/** One unread document of a delivery. */
export interface Document {
  /** Its place in the delivery, printable, such as `2/report.zip/a.xml`; never the path of a file. */
  readonly path: string;
  /** Innermost file name as sent: a hint (RFC 9990, 3.5.2). */
  readonly name: string | null;
  readonly kind: 'xml' | 'json' | 'failure-report';
  /** Warnings of containers and MIME around it. Reading the document as a stream may add to them. */
  readonly warnings: readonly Warning[];
  /**
   * The whole content with the warnings of its reading, or null when it is longer than `limit` bytes. The bytes keep
   * nothing of the delivery in memory that is larger than they are.
   */
  readWhole(limit: number): Promise<{ bytes: Buffer; warnings: Warning[] } | null>;
  /** The content in pieces of at most 64 KB, with every limit held while reading. May be called again. */
  open(): AsyncIterable<Buffer>;
}

/** A position in a delivery, and the warnings up to it. */
export interface Place {
  readonly path: readonly string[];
  readonly name: string | null;
  readonly warnings: readonly Warning[];
  /** Archives opened on the way. */
  readonly layers: number;
  /** Messages opened on the way. */
  readonly messages: number;
}

export function inside(place: Place, name: string | null, label: string): Place {
  return { ...place, path: [...place.path, label], name: name ?? place.name };
}

export function noting(place: Place, code: string | null, detail: string | null = null): Place {
  if (code === null || place.warnings.some((warning) => warning.code === code)) return place;
  return { ...place, warnings: [...place.warnings, { code, detail }] };
}

export function pathText({ path }: Place): string {
  return path.map((part) => printableText(part.replaceAll('/', '_'), 80)).join('/');
}

export function makeDocument(
  content: Content,
  kind: Document['kind'],
  place: Place,
): { document: Document; release: () => Promise<void> } {
  const warnings = [...place.warnings];
  /** A reading that exceeded its limit: the next one continues where it ended, and inflates nothing twice. */
  let begun: BegunReading | null = null;
  const document: Document = {
    path: pathText(place),
    name: place.name === null ? null : markedText(cutText(place.name, MAX_NAME)),
    kind,
    warnings,
    async readWhole(limit) {
      const met = [...place.warnings, ...content.found];
      if (content.bytes) return content.bytes.length <= limit ? { bytes: apart(content.bytes), warnings: met } : null;
      const reading = beginReading(content.open(noteInto(met)));
      if (!(await reading.fill(limit))) return { bytes: Buffer.concat(reading.chunks), warnings: met };
      await begun?.close();
      begun = reading;
      return null;
    },
    async *open() {
      const chunks = begun?.rest() ?? content.open(noteInto(warnings));
      begun = null;
      for await (const chunk of chunks) {
        if (chunk.length <= CHUNK) yield chunk;
        else yield* slices(chunk);
      }
    },
  };
  const release = async () => {
    const reading = begun;
    begun = null;
    await reading?.close();
  };
  return { document, release };
}

/** Bytes that are a small part of a buffer, such as a whole mail, are copied, so that they do not keep it in memory. */
function apart(bytes: Buffer): Buffer {
  return bytes.buffer.byteLength > 2 * bytes.length ? Buffer.from(bytes) : bytes;
}

function noteInto(list: Warning[]): Note {
  return (code, detail = null) => {
    if (!list.some((warning) => warning.code === code)) list.push({ code, detail });
  };
}
