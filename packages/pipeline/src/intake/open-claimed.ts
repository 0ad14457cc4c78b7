import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimedMessage } from '@dmarc-ledger/ledger';
import type { IntakeNeeds } from './intake-needs.ts';
import { closeDelivery, openDelivery, type OpenedDelivery } from './open-delivery.ts';
import { isStoreFault, putBack } from './put-back.ts';
import { isBudgeted } from './record-allowance.ts';
import { routeDelivery, takeWhole } from './route-delivery.ts';

const STORE_PAUSE_MS = 1_000;

/**
 * Opens a claimed delivery, which may store `allowed` records now. Returns undefined when it could not be opened and
 * was put back, or when it came through a shared mailbox and was given to its organizations.
 */
export async function openClaimed(
  needs: IntakeNeeds,
  orgId: string,
  message: ClaimedMessage,
  allowed: number,
): Promise<OpenedDelivery | undefined> {
  let delivery: OpenedDelivery | undefined;
  try {
    delivery = await openDelivery(needs.blobs, message);
    if (isBudgeted(message)) delivery.budget.allowNow(allowed);
    if (needs.lane) delivery.budget.stopOn(needs.lane.stopping);
    return message.mailboxes?.isShared
      ? await routeDelivery(needs, orgId, delivery)
      : await takeWhole(needs.database.db, orgId, delivery);
  } catch (error) {
    if (delivery) await closeDelivery(delivery);
    await putBack(needs, orgId, message, error);
    if (isStoreFault(error)) await sleep(STORE_PAUSE_MS); // the next delivery meets the same outage
    return undefined;
  }
}
