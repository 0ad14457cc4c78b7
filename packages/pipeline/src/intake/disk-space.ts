import type { BlobStore } from '@dmarc-ledger/blobs';
import type { Database } from '@dmarc-ledger/schema';

const ASKED_EVERY_MS = 1_000;
/** A database that had no room is tried again after this. */
const DATABASE_TRIED_AFTER_MS = 10_000;

/** What there is room for. */
export interface DiskSpace {
  hasSpace: boolean;
  /** Of the disk with the raw bytes, 0 to 1; null where no end is in sight. */
  free: number | null;
  /** The database has just said that its disk, or another means, is used up. */
  isDatabaseFull: boolean;
}

export interface DiskSpaceNeeds {
  database: Database;
  blobs: BlobStore;
  /** Of the disk with the raw bytes, what must be free, 0 to 1. */
  leastFree: number;
  /** Told when there is no room any more, and when there is again. */
  onChange?: ((room: DiskSpace) => void) | undefined;
}

/** Whether there is room to take more in, measured at most once a second however many ask. */
export function watchDiskSpace({ database, blobs, leastFree, onChange }: DiskSpaceNeeds): () => Promise<boolean> {
  let askedAt = 0;
  let last = Promise.resolve(true);
  const measure = async (before: boolean) => {
    const free = await blobs.freeSpace();
    const isDatabaseFull = database.vitals.isExhaustedSince(DATABASE_TRIED_AFTER_MS);
    const hasSpace = (free === null || free >= leastFree) && !isDatabaseFull;
    if (hasSpace !== before) onChange?.({ hasSpace, free, isDatabaseFull });
    return hasSpace;
  };
  return () => {
    if (Date.now() - askedAt >= ASKED_EVERY_MS) {
      askedAt = Date.now();
      const before = last.catch(() => true);
      last = before.then(measure);
    }
    return last;
  };
}
