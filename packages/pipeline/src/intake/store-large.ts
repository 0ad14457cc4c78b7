import { finishMessages, storeOther, storeReports, transact, type MessagePart, type WholeCopy } from '@dmarc-ledger/db';
import type { ReportHeader } from '@dmarc-ledger/dmarc';
import { copyOrigin } from './copy-origin.ts';
import { aggregatePart, finishedMessage, otherPart, refusedPart } from './message-story.ts';
import type { OpenedDelivery, OpenedDocument } from './open-delivery.ts';
import { makeOtherCopy } from './other-copy.ts';
import { makeCopy, placeHeaders, sumRecords } from './report-copy.ts';
import { isRefusal } from './reread-copy.ts';
import type { StoreNeeds } from './store-load.ts';
import { storeStream } from './store-stream.ts';
import { takeDocument, tellsRefusals } from './take-document.ts';
import { witnessRepeats } from './witness-repeats.ts';

/**
 * Stores a delivery that holds a report too large to be held in memory: records flow from the archive into the table,
 * one transaction for each document. Run again, it finds what an earlier run has stored.
 */
export async function storeLarge(needs: StoreNeeds, orgId: string, delivery: OpenedDelivery): Promise<void> {
  const parts: MessagePart[] = [];
  for (const document of delivery.documents) parts.push(...(await storeDocument(needs, orgId, delivery, document)));
  const repeats = parts.flatMap(({ outcome, sha256, reports }) =>
    outcome === 'duplicate' && sha256 !== null && reports.length === 0 ? [{ delivery, sha256 }] : [],
  );
  const ending = finishedMessage(delivery, parts);
  await transact(needs.database, async (session) => {
    await finishMessages(session, orgId, [ending]);
    await witnessRepeats(session, orgId, repeats);
  });
  const { openedAt, message } = delivery;
  needs.observer?.finished({ ...ending, orgId, source: message.source, openedAt });
}

async function storeDocument(
  needs: StoreNeeds,
  orgId: string,
  delivery: OpenedDelivery,
  document: OpenedDocument,
): Promise<MessagePart[]> {
  const { path } = document;
  if (document.kind === 'refused') return tellsRefusals(delivery) ? [refusedPart(path, null, document.refusal)] : [];
  try {
    return document.kind === 'large'
      ? await storeStream(needs, orgId, delivery, document)
      : await storeWhole(needs, orgId, delivery, document);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return tellsRefusals(delivery) ? [refusedPart(path, null, error)] : [];
  }
}

async function storeWhole(
  needs: StoreNeeds,
  orgId: string,
  delivery: OpenedDelivery,
  document: Extract<OpenedDocument, { kind: 'whole' }>,
): Promise<MessagePart[]> {
  const { readings, others, parts } = takeDocument(document, delivery);
  const placeOf = await placeHeaders(
    needs.dimensions,
    orgId,
    readings.map(({ header }) => header),
  );
  const originOf = (header?: ReportHeader) =>
    copyOrigin(delivery, document.path, Buffer.from(document.sha256, 'hex'), header);
  const copies = readings.map(({ header, records, warnings }): WholeCopy => ({
    copy: makeCopy(header, sumRecords(records), warnings, originOf(header), placeOf(header)),
    records,
  }));
  const otherCopies = others.map((reading) => makeOtherCopy(reading, originOf()));
  const { stored, storedOther } = await transact(needs.database, async (session) => ({
    stored: await storeReports(session, orgId, copies),
    storedOther: await storeOther(session, orgId, otherCopies),
  }));
  return [
    ...parts,
    ...copies.map(({ copy }, i) => aggregatePart(document.path, document.sha256, copy, stored[i]!)),
    ...otherCopies.map((copy, i) => otherPart(document.path, document.sha256, copy, storedOther[i]!)),
  ];
}
