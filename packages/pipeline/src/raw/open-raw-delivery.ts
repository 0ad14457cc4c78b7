import { BlobError, type BlobStore } from '@dmarc-ledger/blobs';
import { findRawDelivery } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { sniff } from '@dmarc-ledger/unpack';
import { deleted, shared, unknown } from './errors.ts';
import type { RawContent, RawKey } from './raw-content.ts';

const HEAD_BYTES = 1_024;

/**
 * Opens a delivery as it came in: a mail, an archive or a file. What came through the mailbox of another organization
 * may hold reports of others, and is not opened.
 * @throws {RawError}
 */
export async function openRawDelivery(
  { database, blobs }: { database: Database; blobs: BlobStore },
  { orgId, id }: RawKey,
): Promise<RawContent> {
  const delivery = await findRawDelivery(database.db, orgId, id);
  if (!delivery) throw unknown();
  if (delivery.bytesPurgedAt) throw deleted();
  if (delivery.onlyDomains) throw shared();
  const blob = await blobs.get(delivery.sha256).catch(missing);
  const head: Buffer[] = [];
  for await (const chunk of blob.open(0, Math.min(HEAD_BYTES, blob.size))) head.push(Buffer.from(chunk));
  return { kind: sniff(Buffer.concat(head)), size: blob.size, content: chunksOf(blob.open()) };
}

async function* chunksOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Bytes that are gone for good count as deleted; a store that is down is an error. */
function missing(error: unknown): never {
  if (error instanceof BlobError && !error.retryable) throw deleted();
  throw error;
}
