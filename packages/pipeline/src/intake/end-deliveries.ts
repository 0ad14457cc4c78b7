import { BlobError, type BlobStore } from '@dmarc-ledger/blobs';
import {
  BYTES_CODES,
  type ClaimedMessage,
  type FinishedMessage,
  finishMessages,
  holdDeliveries,
} from '@dmarc-ledger/ledger';
import type { Session } from '@dmarc-ledger/schema';
import { CodedError } from '@dmarc-ledger/vocabulary';

/** Bytes that were missing or damaged when a delivery was read are back; the delivery is read again. */
export class BytesReturnedError extends CodedError<'bytes_returned'> {
  override readonly retryable = true;
}

/** A delivery that was read, and its outcome. */
export interface Ending {
  message: ClaimedMessage;
  ending: FinishedMessage;
}

/**
 * Closes deliveries.
 *
 * @throws {BytesReturnedError} if bytes are back that were missing or damaged when a delivery was read: the same
 * content has arrived meanwhile, and left the delivery to its reader. It is read again.
 */
export async function endDeliveries(
  session: Session,
  blobs: BlobStore,
  orgId: string,
  endings: readonly Ending[],
): Promise<void> {
  const damaged = endings.filter(({ ending: { code } }) => code !== null && BYTES_CODES.includes(code));
  if (damaged.length > 0) {
    const ids = damaged.map(({ message }) => message.id);
    await holdDeliveries(session, orgId, ids);
    for (const { message } of damaged)
      if (await isReadable(blobs, message.sha256))
        throw new BytesReturnedError('bytes_returned', 'The bytes of the delivery came back while it was read.');
  }
  await finishMessages(
    session,
    orgId,
    endings.map(({ ending }) => ending),
  );
}

async function isReadable(blobs: BlobStore, sha256: Buffer): Promise<boolean> {
  try {
    const blob = await blobs.get(sha256);
    for await (const byte of blob.open(0, 1)) void byte; // all bytes are checked before the first is there
    return true;
  } catch (error) {
    if (error instanceof BlobError && !error.retryable) return false;
    throw error;
  }
}
