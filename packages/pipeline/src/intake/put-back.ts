import { BlobError } from '@dmarc-ledger/blobs';
import { type ClaimedMessage, holdMessages, putBackMessage } from '@dmarc-ledger/ledger';
import { isStorageFailure } from '@dmarc-ledger/schema';
import { RecordBudgetError } from '@dmarc-ledger/unpack';
import { BytesReturnedError } from './end-deliveries.ts';
import type { IntakeNeeds } from './intake-needs.ts';
import { IntakeStoppedError } from './long-lane.ts';

/**
 * Puts a delivery back for another try, or until the next day when its organization's budget of records is used up. The
 * try counts, unless the process is stopping, or the database or the blob store failed: three outages must not look
 * like three dead processes. A delivery that cannot be put back stays claimed; it is released once its claimant is
 * gone.
 */
export async function putBack(
  { database: { db }, claimant, onFault }: IntakeNeeds,
  orgId: string,
  message: ClaimedMessage,
  error: unknown,
): Promise<void> {
  const { id } = message;
  const isHeld = error instanceof RecordBudgetError;
  const isExpected = isPutOff(error);
  if (!isExpected) onFault(`Delivery ${id} could not be taken in; it will be tried again.`, error);
  const isCounted = !isExpected && !isStorageFailure(error) && !isStoreFault(error);
  try {
    await (isHeld ? holdMessages(db, orgId, [message]) : putBackMessage(db, orgId, message, isCounted));
  } catch (fault) {
    onFault(`Delivery ${id} could not be put back.`, fault);
    if (!isCounted) claimant.forgiveStart(orgId, id);
    claimant.release();
  }
}

/** Puts back deliveries that were claimed but not opened when the organization's turn ended. */
export async function putBackUnopened(
  { database: { db }, claimant, onFault }: IntakeNeeds,
  orgId: string,
  messages: readonly ClaimedMessage[],
): Promise<void> {
  const left = new Set(messages);
  try {
    for (const message of left) {
      await putBackMessage(db, orgId, message, false);
      left.delete(message);
    }
  } catch (error) {
    onFault('Deliveries that wait for their turn could not be put back.', error);
    for (const { id } of left) claimant.forgiveStart(orgId, id);
    claimant.release();
  }
}

/**
 * Whether a delivery is read again for a reason that is no fault: the budget of records is used up, the process is
 * stopping, or bytes that were missing are back.
 */
export function isPutOff(error: unknown): boolean {
  return (
    error instanceof RecordBudgetError || error instanceof IntakeStoppedError || error instanceof BytesReturnedError
  );
}

/** Whether the blob store failed temporarily, so that the delivery is not at fault. */
export function isStoreFault(error: unknown): boolean {
  return error instanceof BlobError && error.retryable;
}
