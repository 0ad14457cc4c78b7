import { BlobError, type BlobStore } from '@dmarc-ledger/blobs';
import { BYTES_CODES, dropBrought, finishMessages, holdDeliveries } from '@dmarc-ledger/ledger';
import type { Session } from '@dmarc-ledger/schema';
import { CodedError } from '@dmarc-ledger/vocabulary';
import { type Ending, findNoLongerBrought } from './brought-again.ts';

/** Bytes that were missing or damaged when a delivery was read are back; the delivery is read again. */
export class BytesReturnedError extends CodedError<'bytes_returned'> {
  override readonly retryable = true;
}

/**
 * Closes deliveries. Reports of other kinds than aggregate reports go that a delivery brought when it was read before,
 * and does not bring now: an older version has read another identity in it, or what is none. (rules,
 * other-reports/copies)
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
  const gone = await findNoLongerBrought(session, orgId, endings);
  await finishMessages(
    session,
    orgId,
    endings.map(({ ending }) => ending),
  );
  await dropBrought(session, orgId, gone);
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
