import type { Db } from '@dmarc-ledger/schema';
import { startForgiven } from './claimant.ts';
import type { ClaimedMessage } from './claimed-message.ts';

/**
 * Returns a delivery to the queue, unless its claim has passed to another claimant, without counting its start. It
 * keeps the name of its claimant, which passes it over until `admitMessages`; any other may claim it.
 */
export async function passOverMessage(db: Db, orgId: string, { id, claimedBy }: ClaimedMessage): Promise<void> {
  await db
    .updateTable('raw_message')
    .set({ state: 'received', attempts_started: startForgiven })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('state', '=', 'processing')
    .where('claimed_by', '=', claimedBy)
    .execute();
}

/** From now on a claimant may claim again what it has passed over. */
export async function admitMessages(db: Db, orgId: string, claimant: number): Promise<void> {
  await db
    .updateTable('raw_message')
    .set({ claimed_by: null })
    .where('org_id', '=', orgId)
    .where('state', '=', 'received')
    .where('held_until', 'is', null)
    .where('claimed_by', '=', claimant)
    .execute();
}
