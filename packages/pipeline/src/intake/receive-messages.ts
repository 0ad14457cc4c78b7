import type { BlobStore } from '@dmarc-ledger/blobs';
import { enterMessages, type ReceivedMessage } from '@dmarc-ledger/ledger';
import type { Database, MessageSource } from '@dmarc-ledger/schema';
import { cutText, storableText, present } from '@dmarc-ledger/vocabulary';
import { enterDurably } from './enter-durably.ts';

/** Bytes at the door: whole, or as a stream when they are large. */
export interface Arrival {
  content: Buffer | AsyncIterable<Uint8Array>;
  source: MessageSource;
  /** As its sender or the file system says: any text. */
  name: string | null;
}

const NAME_LENGTH = 255;

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
  const put = arrivals.map(({ content }, i) => ({ content, sha256: present(stored[i]).sha256 }));
  const messages = arrivals.map(({ source, name }, i) => ({ ...present(stored[i]), source, name: storableName(name) }));
  return await enterDurably({ database, blobs }, put, ({ db }) => enterMessages(db, orgId, messages));
}

/** A name as the database can hold it, of 255 characters at most; null for one that leaves nothing. */
function storableName(name: string | null): string | null {
  return name === null ? null : cutText(storableText(name), NAME_LENGTH) || null;
}
