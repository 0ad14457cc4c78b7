import { BlobError } from '@dmarc-ledger/blobs';
import { ARRIVAL_LIMIT, type Arrival } from '@dmarc-ledger/pipeline';
import { systemReason } from './system-reason.ts';

interface Refusal {
  code: string;
  message: string;
}

/** Where the bytes of a delivery come from failed, not what stores them. */
class SourceError extends Error {}

/** The same delivery; an error of its stream can be told from one of the store. */
export function withSourceErrors(arrival: Arrival): Arrival {
  const { content } = arrival;
  return Buffer.isBuffer(content) ? arrival : { ...arrival, content: marked(content) };
}

async function* marked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (cause) {
    throw new SourceError('the stream of a delivery failed', { cause });
  }
}

/** Why a delivery cannot be received, when that is due to itself; undefined for a fault of the database or the disk. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof SourceError) return unreadable(error.cause);
  return error instanceof BlobError && error.code === 'blob_too_large' ? tooLarge() : undefined;
}

/** True for a file that is known to be too large before it is read. */
export function isTooLarge({ size = 0 }: { size?: number }): boolean {
  return size > ARRIVAL_LIMIT;
}

export function tooLarge(): Refusal {
  return { code: 'payload_too_large', message: `It is larger than ${ARRIVAL_LIMIT / 1024 ** 3} GiB.` };
}

export function unreadable(cause: unknown): Refusal {
  return { code: 'unreadable', message: `It cannot be read: ${systemReason(cause)}` };
}
