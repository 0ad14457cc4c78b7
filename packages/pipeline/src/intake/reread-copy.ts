import { hash } from 'node:crypto';
import type { BlobStore } from '@dmarc-ledger/blobs';
import type { ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';
import { streamReport, type ReportReading } from '@dmarc-ledger/rua';
import type { Warning } from '@dmarc-ledger/vocabulary';
import type { ClaimedMessage } from '@dmarc-ledger/ledger';
import { headerOf } from './large-reading.ts';
import { closeDelivery, documentsOf, openDelivery, type OpenedDelivery, type OpenedDocument } from './open-delivery.ts';
import { isRefusal, merged, readDocument } from './read-documents.ts';
import { reportIdentity } from './report-identity.ts';

export { isRefusal } from './read-documents.ts';

/** A kept copy, read again from its raw bytes with the current rules. */
export interface Reread {
  header: ReportHeader;
  /** Records in order, in batches; `warnings` is complete after the last one. May be iterated more than once. */
  records: () => AsyncIterable<readonly ReportRecord[]>;
  warnings(): readonly Warning[];
}

/**
 * Reads the report of that identity again, from one document of a delivery, or from any other document in it that now
 * contains the report. An import has one report, whose id its tool may have cut. Undefined when the report is gone.
 */
export async function rereadCopy(
  blobs: BlobStore,
  message: ClaimedMessage,
  path: string,
  identity: Buffer,
): Promise<Reread | undefined> {
  const isIt = (document: OpenedDocument) => document.path === path;
  return (
    (await findCopy(blobs, message, identity, isIt)) ?? (await findCopy(blobs, message, identity, (one) => !isIt(one)))
  );
}

/** The report of that identity in one of the given documents. */
async function findCopy(
  blobs: BlobStore,
  message: ClaimedMessage,
  identity: Buffer,
  isLookedAt: (document: OpenedDocument) => boolean,
): Promise<Reread | undefined> {
  const delivery = await openDelivery(blobs, message);
  try {
    for await (const document of documentsOf(delivery)) {
      if (!isLookedAt(document)) continue;
      const rereads = await rereadDocument(delivery, document);
      const found = rereads.find(
        ({ header }) => message.source === 'import' || reportIdentity(header).equals(identity),
      );
      if (found) return found;
      delivery.readings.delete(document);
    }
    return undefined;
  } finally {
    await closeDelivery(delivery);
  }
}

/** The aggregate reports of a document; none where the current reader refuses it. */
async function rereadDocument(delivery: OpenedDelivery, document: OpenedDocument): Promise<Reread[]> {
  if (document.kind === 'refused') return [];
  if (document.kind === 'whole') return (await readDocument(document, delivery)).readings.map(rereadWhole);
  try {
    return [await rereadLarge(delivery, document)];
  } catch (error) {
    if (isRefusal(error)) return [];
    throw error;
  }
}

export function rereadWhole({ header, records, warnings }: ReportReading): Reread {
  return {
    header,
    records: async function* () {
      yield records;
    },
    warnings: () => warnings,
  };
}

export async function rereadLarge(
  delivery: OpenedDelivery,
  large: Extract<OpenedDocument, { kind: 'large' }>,
): Promise<Reread> {
  const { message } = delivery;
  const { document, name, warnings: outside } = large;
  const context = { receivedAt: Math.floor(message.receivedAt.getTime() / 1000), name };
  const header = await headerOf(delivery, large);
  let warnings: readonly Warning[] = [];
  async function* records() {
    for await (const event of streamReport(document.open(), { ...context, header })) {
      if (event.type === 'records') yield event.records;
      if (event.type === 'end') warnings = merged(outside, event.warnings);
    }
  }
  return { header, records, warnings: () => warnings };
}

/** A digest for each record, sorted, so that order does not matter; equal records have equal digests. */
export async function digestRecords(batches: AsyncIterable<readonly ReportRecord[]>): Promise<BigUint64Array> {
  let digests = new BigUint64Array(1024);
  let count = 0;
  for await (const batch of batches) {
    for (const record of batch) {
      if (count === digests.length) {
        const grown = new BigUint64Array(count * 2);
        grown.set(digests);
        digests = grown;
      }
      digests[count] = hash('sha256', recordText(record), 'buffer').readBigUInt64BE();
      count += 1;
    }
  }
  return digests.slice(0, count).sort();
}

/** A record as text that is equal for equal records, wherever they were read from. */
function recordText({
  sourceIp,
  count,
  policyEvaluated: { disposition, dkim, spf, reasons },
  identifiers,
  authResults,
}: ReportRecord): string {
  return JSON.stringify([
    sourceIp,
    count,
    disposition,
    dkim,
    spf,
    reasons?.map(({ type, comment }) => [type, comment]) ?? null,
    identifiers.headerFrom,
    identifiers.envelopeFrom,
    identifiers.envelopeTo,
    authResults.dkim?.map(({ domain, selector, result, humanResult }) => [domain, selector, result, humanResult]) ??
      null,
    authResults.spf?.map(({ domain, scope, result, humanResult }) => [domain, scope, result, humanResult]) ?? null,
  ]);
}

export function digestHeader(header: ReportHeader): string {
  return hash('sha256', JSON.stringify(header));
}
