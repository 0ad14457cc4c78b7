import type { BlobStore } from '@dmarc-ledger/blobs';
import { enterMessages, type Database, type MessageSource, type ReceivedMessage } from '@dmarc-ledger/db';
import { enterDurably } from './enter-durably.ts';

/** Bytes at the door: whole, or as a stream when they are large. */
export interface Arrival {
  content: Buffer | AsyncIterable<Uint8Array>;
  source: MessageSource;
  name: string | null;
}

/** A delivery that itself is the archive or document may be this large; mail has its own, smaller limit. */
export const ARRIVAL_LIMIT = 2 * 1024 ** 3;

/**
 * Makes the bytes durable, then enters them in the ledger: only after this may anything be acknowledged. The same bytes
 * again are the same delivery.
 */
export async function receiveMessages(
  { database, blobs }: { database: Database; blobs: BlobStore },
  orgId: string,
  arrivals: readonly Arrival[],
  limit = ARRIVAL_LIMIT,
): Promise<ReceivedMessage[]> {
  const stored = await Promise.all(
    arrivals.map(({ content }) => (Buffer.isBuffer(content) ? blobs.put(content) : blobs.putStream(content, limit))),
  );
  const put = arrivals.map(({ content }, i) => ({ content, sha256: stored[i]!.sha256 }));
  const messages = arrivals.map(({ source, name }, i) => ({ ...stored[i]!, source, name }));
  return await enterDurably({ database, blobs }, put, ({ db }) => enterMessages(db, orgId, messages));
}
