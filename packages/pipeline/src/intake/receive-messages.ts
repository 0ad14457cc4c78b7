import type { BlobStore, StoredBlob } from '@dmarc-ledger/blobs';
import { enterMessages, type ReceivedMessage } from '@dmarc-ledger/ledger';
import type { Database, MessageSource } from '@dmarc-ledger/schema';
import { cutText, storableText, present } from '@dmarc-ledger/vocabulary';
import { enterDurably } from './enter-durably.ts';

/** The bytes of a delivery: whole, or a stream when they are large. */
export interface Arrival {
  content: Buffer | AsyncIterable<Uint8Array>;
  source: MessageSource;
  /** The name that the sender or the file system gives: any text. */
  name: string | null;
  /** True: it counts though it is an import. */
  isReleased?: boolean;
}

const NAME_LENGTH = 255;

/** The largest upload of an archive or document; a mail has its own, smaller limit. */
export const ARRIVAL_LIMIT = 2 * 1024 ** 3;

/**
 * Stores the bytes durably, then enters them in the ledger; only then may a delivery be acknowledged. The same bytes
 * again are the same delivery.
 */
export async function receiveMessages(
  { database, blobs }: { database: Database; blobs: BlobStore },
  orgId: string,
  arrivals: readonly Arrival[],
  limit = ARRIVAL_LIMIT,
): Promise<ReceivedMessage[]> {
  const stored = await putAll(
    blobs,
    arrivals.map(({ content }) => content),
    limit,
  );
  const put = arrivals.map(({ content }, i) => ({ content, sha256: present(stored[i]).sha256 }));
  const messages = arrivals.map(({ source, name, isReleased }, i) => ({
    ...present(stored[i]),
    source,
    name: storableName(name),
    isReleased,
  }));
  return await enterDurably({ database, blobs }, put, ({ db }) => enterMessages(db, orgId, messages));
}

/** Streams are put one by one, the rest together. Results are in the order of the input. */
async function putAll(blobs: BlobStore, contents: readonly Arrival['content'][], limit: number): Promise<StoredBlob[]> {
  const [whole, streamed] = await Promise.all([
    blobs.putAll(contents.filter((content) => Buffer.isBuffer(content))),
    Promise.all(contents.flatMap((content) => (Buffer.isBuffer(content) ? [] : [blobs.putStream(content, limit)]))),
  ]);
  const [nextWhole, nextStreamed] = [whole.values(), streamed.values()];
  return contents.map((content) => present((Buffer.isBuffer(content) ? nextWhole : nextStreamed).next().value));
}

/** A name that the database can store, of at most 255 characters; null when nothing remains of it. */
function storableName(name: string | null): string | null {
  return name === null ? null : cutText(storableText(name), NAME_LENGTH) || null;
}
