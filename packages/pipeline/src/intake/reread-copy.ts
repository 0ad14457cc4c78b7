import type { BlobStore } from '@dmarc-ledger/blobs';
import type { ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';
import { streamReport, type ReportReading } from '@dmarc-ledger/rua';
import type { Warning } from '@dmarc-ledger/vocabulary';
import type { ClaimedMessage } from '@dmarc-ledger/ledger';
import { type CopyPlace, likenessOf } from './copy-place.ts';
import { headerOf, type LargeDocument } from './large-reading.ts';
import { closeDelivery, documentsOf, openDelivery, type OpenedDelivery, type OpenedDocument } from './open-delivery.ts';
import { contextOf, isRefusal, merged, readDocument } from './read-documents.ts';
import { reportIdentity } from './report-identity.ts';

/** A kept copy, read again from its raw bytes with the current rules. */
export interface Reread {
  header: ReportHeader;
  /** Records in order, in batches; `warnings` is complete after the last one. May be iterated more than once. */
  records: () => AsyncIterable<readonly ReportRecord[]>;
  warnings(): readonly Warning[];
}

/**
 * Reads the report of that identity again: from the document that holds the copy, or else from one at its place, or
 * from any other document of the delivery that now contains the report. An import has one report, whose id its tool may
 * have cut. Undefined when the report is gone.
 */
export async function rereadCopy(
  blobs: BlobStore,
  message: ClaimedMessage,
  copy: CopyPlace,
  identity: Buffer,
): Promise<Reread | undefined> {
  for (const likeness of ['content', 'place', 'none'] as const) {
    const found = await findCopy(blobs, message, identity, async (one) => (await likenessOf(one, copy)) === likeness);
    if (found) return found;
  }
  return undefined;
}

/** The report of that identity in one of the given documents. */
async function findCopy(
  blobs: BlobStore,
  message: ClaimedMessage,
  identity: Buffer,
  isLookedAt: (document: OpenedDocument) => Promise<boolean>,
): Promise<Reread | undefined> {
  const delivery = await openDelivery(blobs, message);
  try {
    for await (const document of documentsOf(delivery)) {
      if (!(await isLookedAt(document))) continue;
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

export async function rereadLarge(delivery: OpenedDelivery, large: LargeDocument): Promise<Reread> {
  const { document, warnings: outside } = large;
  const context = contextOf(delivery, large);
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
