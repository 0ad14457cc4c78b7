import type { BlobStore } from '@dmarc-ledger/blobs';
import {
  cutoffsOf,
  endOrganization,
  findLeaving,
  finishPurge,
  keepPurging,
  removeBlobs,
  removeRows,
  type Retention,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { QueueError } from '@dmarc-ledger/queues';
import { failPoint, keysOf } from '@dmarc-ledger/vocabulary';
import { purgeLedger, type Purged } from './purge-ledger.ts';

export interface PurgeNeeds {
  database: Database;
  blobs: BlobStore;
  retention: Retention;
  /** Work that was begun before an organization left may write for so long. */
  leavingSeconds?: number;
  ending?: AbortSignal;
  /** Told what went. */
  onPurged?: ((kind: keyof Purged | 'blobs' | 'organizations', count: number) => void) | undefined;
}

/** One that says nothing for so long is planned again. */
const LOST_AFTER_SECONDS = 900;
const LEAVING_SECONDS = 600;
const TOLD_EVERY_MS = 60_000;

/** Deletes what of an organization is older than its data are kept; of one that has left, everything. */
export async function purgeOrganization(needs: PurgeNeeds, { orgId }: { orgId: string }): Promise<void> {
  const { database, blobs, retention, onPurged, ending } = needs;
  const leaving = await findLeaving(database.db, orgId);
  if (!leaving) return; // it has gone since the job was added
  if (leaving.removedAt) return await removeOrganization(needs, orgId);
  const purged = await purgeLedger(database, orgId, await cutoffsOf(database.db, retention), keepingOn(needs, orgId));
  for (const kind of keysOf(purged)) {
    const count = purged[kind];
    onPurged?.(kind, typeof count === 'number' ? count : count.deliveries);
  }
  if (ending?.aborted) throw new QueueError('job_interrupted', 'The purge goes on later.');
  const removed = await removeBlobs(database, (sha256) => blobs.delete(sha256));
  onPurged?.('blobs', removed);
  await finishPurge(database.db, orgId);
}

/**
 * Removes everything of an organization that has left; the last of it when all that was begun before must have ended.
 */
export async function removeOrganization(needs: PurgeNeeds, orgId: string): Promise<void> {
  const { database, blobs, leavingSeconds = LEAVING_SECONDS, onPurged, ending } = needs;
  const goOn = keepingOn(needs, orgId);
  const removeSome = () => transact(database, ({ db }) => removeRows(db, orgId));
  while ((await removeSome()) > 0 && (await goOn())) await failPoint('F17');
  if (ending?.aborted) throw new QueueError('job_interrupted', 'The organization is removed later.');
  const removed = await removeBlobs(database, (sha256) => blobs.delete(sha256));
  onPurged?.('blobs', removed);
  if (await endOrganization(database, orgId, leavingSeconds)) onPurged?.('organizations', 1);
  else await keepPurging(database.db, orgId, Math.max(1, leavingSeconds / 10));
}

/** Says now and then that the work is not lost; false when the worker is about to end. */
function keepingOn({ database, ending }: PurgeNeeds, orgId: string): () => Promise<boolean> {
  let toldAt = Date.now();
  return async () => {
    if (Date.now() - toldAt > TOLD_EVERY_MS) {
      toldAt = Date.now();
      await keepPurging(database.db, orgId, LOST_AFTER_SECONDS);
    }
    return ending?.aborted !== true;
  };
}
