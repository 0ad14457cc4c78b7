import type { BlobStore } from '@dmarc-ledger/blobs';
import { finishSweep, letStrayBytesGo, removeBlobs } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { ownedSince } from './store-owner.ts';

const DAY_MS = 86_400_000;
const ASKED_AT_ONCE = 1_000;

/**
 * Deletes blobs older than a day that no delivery refers to: bytes that were never entered in the ledger, and
 * unfinished writes. Keeps blobs that were stored before the store belonged to this database. Returns how many of each
 * it deleted.
 */
export async function sweepBlobs({
  database,
  blobs,
  onTakenOver,
}: {
  database: Database;
  blobs: BlobStore;
  /** Called when the store belonged to another database until now. */
  onTakenOver?: (() => void) | undefined;
}): Promise<{ blobs: number; leftovers: number }> {
  const before = new Date(Date.now() - DAY_MS);
  const since = await ownedSince(database, blobs, onTakenOver);
  const leftovers = await blobs.removeLeftovers(before);
  let old: Buffer[] = [];
  const ask = async () => {
    if (old.length > 0) await letStrayBytesGo(database.db, old);
    old = [];
  };
  for await (const { sha256, storedAt } of blobs.list()) {
    if (storedAt >= before || storedAt < since) continue;
    old.push(sha256);
    if (old.length >= ASKED_AT_ONCE) await ask();
  }
  await ask();
  const removed = await removeBlobs(database, (sha256) => blobs.delete(sha256));
  await finishSweep(database.db);
  return { blobs: removed, leftovers };
}
