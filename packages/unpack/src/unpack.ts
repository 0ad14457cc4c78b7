import type { Refusal } from '@dmarc-ledger/vocabulary';
import type { ByteSource } from './byte-source.ts';
import { sourceContent, readHead } from './content.ts';
import { pathText, type Document, type Place } from './document.ts';
import { UnpackError } from './errors.ts';
import { MAX_ARCHIVE, MAX_STREAMED } from './limits.ts';
import type { Envelope } from './mail/envelope.ts';
import { sniff } from './sniff.ts';
import { Walk } from './walk.ts';

export interface Unpacked {
  documents: Document[];
  /** What could not be opened; never empty when there is no document. */
  refusals: (Refusal & { path: string })[];
  /** Set when the delivery is, or begins with, a message: what the header of the outermost tells. */
  mail: Envelope | null;
}

/**
 * A delivery (a message, an archive, a bare document) to the documents in it, told apart by content alone. A part that
 * is broken or too large is refused beside those that are not. Nothing is written, nothing fetched.
 */
export async function unpack(source: ByteSource, options: { name?: string } = {}): Promise<Unpacked> {
  const walk = new Walk();
  const name = options.name?.split(/[\\/]/).at(-1) ?? null;
  const place: Place = { path: name === null ? [] : [name], name, warnings: [], layers: 0, messages: 0 };
  await walk.attempt(place, () => openDelivery(walk, source, place));
  if (walk.documents.length === 0 && walk.refusals.length === 0) {
    const error = walk.sawEmpty
      ? new UnpackError('empty_container', 'there is nothing in the delivery')
      : new UnpackError('not_a_report', 'there is nothing like a report in the delivery');
    walk.refuse(error, pathText(place));
  }
  return { documents: walk.documents, refusals: walk.refusals, mail: walk.mail };
}

async function openDelivery(walk: Walk, source: ByteSource, place: Place): Promise<void> {
  const content = await sourceContent(source);
  const kind = sniff(await readHead(content, () => undefined));
  const limit = kind === 'xml' || kind === 'json' ? MAX_STREAMED : MAX_ARCHIVE;
  if (source.size > limit && kind !== 'mail')
    throw new UnpackError('payload_too_large', `the delivery has ${source.size} bytes`);
  if (kind === 'mail') await walk.message(source, place);
  else await walk.content(content, kind, place, source);
}
