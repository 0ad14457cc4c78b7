import { admitMessages, type ClaimedMessage, passOverMessage } from '@dmarc-ledger/ledger';
import type { IntakeNeeds } from './intake-needs.ts';
import type { LongLane } from './long-lane.ts';

/**
 * Puts a long delivery back whose organization has as many in the lane as may wait: what is behind it, and all other
 * organizations, must not wait for it.
 */
export async function passOver(
  { database: { db } }: IntakeNeeds,
  lane: LongLane,
  orgId: string,
  message: ClaimedMessage,
): Promise<void> {
  try {
    await passOverMessage(db, orgId, message);
  } finally {
    lane.passedOver.add(orgId); // also when the answer is lost
  }
}

/** Admits what was passed over as soon as at most half as many deliveries of its organization wait as may. */
export async function admitPassedOver({ database: { db }, claimant, lane }: IntakeNeeds): Promise<void> {
  if (!lane) return;
  for (const orgId of lane.passedOver) {
    if (!lane.hasRoom(orgId)) continue;
    lane.passedOver.delete(orgId); // first: a further one may be passed over while these are admitted
    try {
      await admitMessages(db, orgId, await claimant.name());
    } catch (error) {
      lane.passedOver.add(orgId);
      throw error;
    }
  }
}
