import type { BlobError, BlobStore } from '@dmarc-ledger/blobs';
import { type EndedMessage, findEnded, type ReplayScope } from '@dmarc-ledger/ledger';
import type { Database, MessagePart } from '@dmarc-ledger/schema';
import { present } from '@dmarc-ledger/vocabulary';
import { faultOf } from '../intake/missing-bytes.ts';

const BATCH = 200;
const PURGED = { code: 'bytes_purged', message: 'Its bytes were deleted by age (RAW_RETENTION_DAYS).' } as const;

/** Deliveries to read again: those with bytes, and those whose bytes are permanently missing. */
export interface Batch {
  present: EndedMessage[];
  missing: (EndedMessage & { fault: { code: BlobError['code'] | 'bytes_purged'; message: string } })[];
}

/** The deliveries of a scope in bounded batches, each fetched when the one before is done. */
export async function* batchesOf(
  { database: { db }, blobs }: { database: Database; blobs: BlobStore },
  orgId: string,
  scope: ReplayScope,
): AsyncGenerator<Batch> {
  for (let after: string | null = null; ;) {
    const found: EndedMessage[] = await findEnded(db, orgId, scope, { after, limit: BATCH });
    if (found.length === 0) return;
    yield await parted(blobs, found);
    after = present(found.at(-1)).message.id;
  }
}

/** The ids of the reports that deliveries contain. */
export function reportIdsOf(deliveries: readonly { parts: MessagePart[] | null }[]): string[] {
  return [
    ...new Set(deliveries.flatMap(({ parts }) => parts?.flatMap(({ reports }) => reports.map(({ id }) => id)) ?? [])),
  ];
}

async function parted(blobs: BlobStore, found: readonly EndedMessage[]): Promise<Batch> {
  const batch: Batch = { present: [], missing: [] };
  const faults = await Promise.all(
    found.map(({ message, isPurged }) => (isPurged ? Promise.resolve(null) : faultOf(blobs, message.sha256))),
  );
  for (const [i, delivery] of found.entries()) {
    const fault = delivery.isPurged ? PURGED : faults[i];
    if (fault) batch.missing.push({ ...delivery, fault: { code: fault.code, message: fault.message } });
    else batch.present.push(delivery);
  }
  return batch;
}
