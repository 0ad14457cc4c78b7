import { requeueDeliveries } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { batchesOf, reportIdsOf } from './batches.ts';
import type { ReplayNeeds } from './replay-deliveries.ts';

/**
 * Queues one refused or quarantined delivery to be read again, and returns without waiting for it. `missing`: its bytes
 * were deleted; `unknown`: there is no such delivery in one of these states.
 */
export async function requeueDelivery(
  needs: Pick<ReplayNeeds, 'database' | 'blobs'>,
  orgId: string,
  id: string,
): Promise<'queued' | 'missing' | 'unknown'> {
  for (const state of ['quarantined', 'refused'] as const) {
    for await (const { present } of batchesOf(needs, orgId, { id, state })) {
      if (present.length === 0) return 'missing';
      const messages = { messageIds: [id], reportIds: reportIdsOf(present) };
      await transact(needs.database, (session) => requeueDeliveries(session, orgId, messages));
      return 'queued';
    }
  }
  return 'unknown';
}
