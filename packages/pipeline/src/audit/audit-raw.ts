import type { BlobStore } from '@dmarc-ledger/blobs';
import { findMessage, sampleCopies } from '@dmarc-ledger/ledger';
import type { Database, Db } from '@dmarc-ledger/schema';
import { areEqualDigests, digestRecords } from '../intake/copy-digests.ts';
import { rereadCopy } from '../intake/reread-copy.ts';
import { storedRecords } from '../intake/stored-records.ts';

/**
 * The number of sampled reports that were read again from their raw bytes, and those that differ from the stored ones.
 */
export interface RawAudit {
  checked: number;
  /** Reports whose raw bytes should exist but are missing, or no longer contain the report. */
  missing: number;
  differing: string[];
}

/** Reads a sample of reports again with the current rules, and compares every record with the stored one. */
export async function auditRaw(
  { database: { db }, blobs }: { database: Database; blobs: BlobStore },
  orgId: string,
  sample: number,
): Promise<RawAudit> {
  const audit: RawAudit = { checked: 0, missing: 0, differing: [] };
  for (const copy of await sampleCopies(db, orgId, sample)) {
    const reread = await rereadCopy(blobs, copy.message, copy, copy.identity);
    if (!reread) {
      if (await isKept(db, orgId, copy.message.id)) audit.missing += 1;
      continue;
    }
    audit.checked += 1;
    const raw = await digestRecords(reread.records());
    const stored = await digestRecords(storedRecords(db, orgId, copy.reportId));
    if (!areEqualDigests(raw, stored)) audit.differing.push(copy.reportId);
  }
  return audit;
}

/** A purge may have deleted the bytes since the sample was taken. */
async function isKept(db: Db, orgId: string, messageId: string): Promise<boolean> {
  const message = await findMessage(db, orgId, messageId);
  return message !== undefined && message.bytesPurgedAt === null;
}
