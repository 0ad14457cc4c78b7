import type { BlobStore } from '@dmarc-ledger/blobs';
import { type ClaimedMessage, findCopiesOf, type HeldRevision } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { likenessOf } from '../intake/copy-place.ts';
import { isThere } from '../intake/missing-bytes.ts';
import {
  closeDelivery,
  documentsOf,
  openDelivery,
  type OpenedDelivery,
  type OpenedDocument,
} from '../intake/open-delivery.ts';
import { readDocument } from '../intake/read-documents.ts';
import { changed, deleted, shared, unknown } from './errors.ts';
import type { RawContent, RawKey } from './raw-content.ts';

/** A copy of a report by the SHA-256 of its content; without it, the counted one. */
interface RawReportKey extends RawKey {
  copy?: string | undefined;
}

/**
 * Opens the document of a report as the reporter wrote it, taken out of its mail and archive with the limits of intake.
 * @throws {RawError}
 */
export async function openRawReport(
  { database, blobs }: { database: Database; blobs: BlobStore },
  { orgId, id, copy }: RawReportKey,
): Promise<RawContent> {
  const held = await findCopiesOf(database.db, orgId, id);
  const wanted = copy === undefined ? held?.payloadSha256 : Buffer.from(copy, 'hex');
  const revision = held?.revisions.find(({ payloadSha256 }) => wanted && payloadSha256.equals(wanted));
  if (!revision) throw unknown();
  if (!revision.message || !(await isThere(blobs, revision.message.sha256))) throw deleted();
  return await begun(documentBytes(blobs, revision.message, revision));
}

/**
 * Reads the first chunk, so that a document that cannot be found is an error before anything is sent. Closing the
 * content closes the delivery, also when nothing was read of it since.
 */
async function begun(chunks: AsyncGenerator<Buffer, void, undefined>): Promise<RawContent> {
  let first: IteratorResult<Buffer, void> | undefined = await chunks.next();
  if (first.done) throw changed();
  const iterator: AsyncIterator<Buffer> = {
    next: async () => {
      const read = first ?? (await chunks.next());
      first = undefined;
      return read;
    },
    return: async () => await chunks.return(),
  };
  return { kind: 'xml', size: null, content: { [Symbol.asyncIterator]: () => iterator } };
}

async function* documentBytes(
  blobs: BlobStore,
  message: ClaimedMessage,
  revision: HeldRevision,
): AsyncGenerator<Buffer, void, undefined> {
  const delivery = await openDelivery(blobs, message);
  try {
    for await (const document of documentsOf(delivery)) {
      if ((await likenessOf(document, revision)) !== 'content') continue;
      await requireOwn(delivery, document);
      if (document.kind === 'whole') yield document.bytes;
      if (document.kind === 'large') yield* document.document.open();
      return;
    }
  } finally {
    await closeDelivery(delivery);
  }
}

/** A document from a shared mailbox may hold reports of several organizations; a large one holds one report. */
async function requireOwn(delivery: OpenedDelivery, document: OpenedDocument): Promise<void> {
  const { onlyDomains } = delivery.message;
  if (onlyDomains === null || document.kind !== 'whole') return;
  const { readings } = await readDocument(document, delivery);
  if (!readings.every(({ header }) => onlyDomains.includes(header.policyPublished.domain))) throw shared();
}
