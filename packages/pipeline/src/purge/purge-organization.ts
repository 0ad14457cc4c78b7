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
import { throwIfEnding } from '../interruption.ts';
import { failPoint, keysOf } from '@dmarc-ledger/vocabulary';
import { purgeLedger, type Purged } from './purge-ledger.ts';

export interface PurgeNeeds {
  database: Database;
  blobs: BlobStore;
  retention: Retention;
  /** How long work that was begun before an organization left may still write. */
  leavingSeconds?: number;
  ending?: AbortSignal;
  /** Receives what was deleted. */
  onPurged?: ((kind: keyof Purged | 'blobs' | 'organizations', count: number) => void) | undefined;
}

/** A purge without progress for this long is planned again. */
const LOST_AFTER_SECONDS = 900;
const LEAVING_SECONDS = 600;
const EXTEND_EVERY_MS = 60_000;

/** Deletes the data of an organization that are past their retention; of an organization that has left, all data. */
export async function purgeOrganization(needs: PurgeNeeds, { orgId }: { orgId: string }): Promise<void> {
  const { database, blobs, retention, onPurged, ending } = needs;
  const leaving = await findLeaving(database.db, orgId);
  if (!leaving) return; // it was deleted since the job was added
  if (leaving.removedAt) return await removeOrganization(needs, orgId);
  const purged = await purgeLedger(database, orgId, await cutoffsOf(database.db, retention), keepingOn(needs, orgId));
  for (const kind of keysOf(purged)) {
    const count = purged[kind];
    onPurged?.(kind, typeof count === 'number' ? count : count.deliveries);
  }
  throwIfEnding(ending, 'The purge continues later.');
  const removed = await removeBlobs(database, (sha256) => blobs.delete(sha256));
  onPurged?.('blobs', removed);
  await finishPurge(database.db, orgId);
}

/**
 * Deletes everything of an organization that has left; the organization itself once all work begun before must have
 * ended.
 */
async function removeOrganization(needs: PurgeNeeds, orgId: string): Promise<void> {
  const { database, blobs, leavingSeconds = LEAVING_SECONDS, onPurged, ending } = needs;
  const goOn = keepingOn(needs, orgId);
  const removeSome = () => transact(database, ({ db }) => removeRows(db, orgId));
  while ((await removeSome()) > 0 && (await goOn())) await failPoint('F17');
  throwIfEnding(ending, 'The organization is removed later.');
  const removed = await removeBlobs(database, (sha256) => blobs.delete(sha256));
  onPurged?.('blobs', removed);
  if (await endOrganization(database, orgId, leavingSeconds)) onPurged?.('organizations', 1);
  else await keepPurging(database.db, orgId, Math.max(1, leavingSeconds / 10));
}

/** Extends the lease of the work now and then; false when the worker is about to stop. */
function keepingOn({ database, ending }: PurgeNeeds, orgId: string): () => Promise<boolean> {
  let extendedAt = performance.now();
  return async () => {
    if (performance.now() - extendedAt > EXTEND_EVERY_MS) {
      extendedAt = performance.now();
      await keepPurging(database.db, orgId, LOST_AFTER_SECONDS);
    }
    return ending?.aborted !== true;
  };
}
