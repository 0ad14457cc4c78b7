import type { BlobStore } from '@dmarc-ledger/blobs';
import { finishSweep, letStrayBytesGo, removeBlobs } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';

const DAY_MS = 86_400_000;
const ASKED_AT_ONCE = 1_000;

/**
 * Deletes blobs older than a day that no delivery refers to: bytes that were never entered in the ledger, and
 * unfinished writes. Returns how many of each it deleted.
 */
export async function sweepBlobs({
  database,
  blobs,
}: {
  database: Database;
  blobs: BlobStore;
}): Promise<{ blobs: number; leftovers: number }> {
  const before = new Date(Date.now() - DAY_MS);
  const leftovers = await blobs.removeLeftovers(before);
  let old: Buffer[] = [];
  const ask = async () => {
    if (old.length > 0) await letStrayBytesGo(database.db, old);
    old = [];
  };
  for await (const { sha256, storedAt } of blobs.list()) {
    if (storedAt >= before) continue;
    old.push(sha256);
    if (old.length >= ASKED_AT_ONCE) await ask();
  }
  await ask();
  const removed = await removeBlobs(database, (sha256) => blobs.delete(sha256));
  await finishSweep(database.db);
  return { blobs: removed, leftovers };
}
