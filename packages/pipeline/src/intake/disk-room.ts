import type { BlobStore } from '@dmarc-ledger/blobs';
import type { Database } from '@dmarc-ledger/db';

const ASKED_EVERY_MS = 1_000;

/**
 * Whether there is room to take more in, asked once a second however many want to know: at least that part of the disk
 * with the raw bytes is free (0 to 1), and the database has not run out of room within the last minute.
 */
export function watchDiskRoom(
  { database, blobs }: { database: Database; blobs: BlobStore },
  leastFree: number,
): () => Promise<boolean> {
  let askedAt = 0;
  let answer = Promise.resolve(true);
  const ask = async () => {
    const free = await blobs.freeSpace();
    return (free === null || free >= leastFree) && !database.vitals.lastMinute().isExhausted;
  };
  return () => {
    if (Date.now() - askedAt >= ASKED_EVERY_MS) {
      askedAt = Date.now();
      answer = ask();
    }
    return answer;
  };
}
