import type { BlobStore } from '@dmarc-ledger/blobs';
import type { Database } from '@dmarc-ledger/schema';

const ASKED_EVERY_MS = 1_000;
/** How long to wait before a database whose disk was full is tried again. */
const DATABASE_TRIED_AFTER_MS = 10_000;

/** The state of the disks. */
export interface DiskSpace {
  hasSpace: boolean;
  /** Free part of the disk with the raw bytes, 0 to 1; null for a store without a known size. */
  free: number | null;
  /** Whether the database has just reported that its disk, or another resource, is exhausted. */
  isDatabaseFull: boolean;
}

export interface DiskSpaceNeeds {
  database: Database;
  blobs: BlobStore;
  /** The part of the disk with the raw bytes that must be free, 0 to 1. */
  leastFree: number;
  /** Called when the disk space runs out, and when there is enough again. */
  onChange?: ((space: DiskSpace) => void) | undefined;
}

/** Reports whether there is space to receive more, measured at most once a second for all callers. */
export function watchDiskSpace({ database, blobs, leastFree, onChange }: DiskSpaceNeeds): () => Promise<boolean> {
  let askedAt = -Infinity;
  let last = Promise.resolve(true);
  const measure = async (before: boolean) => {
    const free = await blobs.freeSpace();
    const isDatabaseFull = database.vitals.isExhaustedSince(DATABASE_TRIED_AFTER_MS);
    const hasSpace = (free === null || free >= leastFree) && !isDatabaseFull;
    if (hasSpace !== before) onChange?.({ hasSpace, free, isDatabaseFull });
    return hasSpace;
  };
  return () => {
    if (performance.now() - askedAt >= ASKED_EVERY_MS) {
      askedAt = performance.now();
      const before = last.catch(() => true);
      last = before.then(measure);
    }
    return last;
  };
}
