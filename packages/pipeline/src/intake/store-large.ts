import { createHash } from 'node:crypto';
import {
  addCopies,
  addRecord,
  finishMessages,
  findPayloads,
  noSums,
  storeOther,
  storeReports,
  storeStreamed,
  transact,
  type MessagePart,
  type ReportCopy,
  type Stored,
  type WholeCopy,
} from '@dmarc-ledger/db';
import type { ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';
import { readHeader, ReportError, streamReport } from '@dmarc-ledger/rua';
import { UnpackError } from '@dmarc-ledger/unpack';
import type { Warning } from '@dmarc-ledger/vocabulary';
import { copyOrigin } from './copy-origin.ts';
import {
  duplicatePart,
  finishedMessage,
  otherPart,
  refusedPart,
  reportedPart,
  toldWarnings,
  untakenParts,
} from './message-story.ts';
import type { OpenedDelivery, OpenedDocument } from './open-delivery.ts';
import { makeOtherCopy } from './other-copy.ts';
import { merged } from './read-documents.ts';
import { makeCopy, placeHeaders, sumRecords } from './report-copy.ts';
import { chooseReport } from './selection.ts';
import type { StoreNeeds } from './store-load.ts';
import { takeDocument, tellsRefusals } from './take-document.ts';
import { witnessRepeats } from './witness-repeats.ts';

type LargeDocument = Extract<OpenedDocument, { kind: 'large' }>;

/** Undoes a transaction whose report turned out to be held already. */
class AlreadyHeld extends Error {
  readonly copy: ReportCopy;
  constructor(copy: ReportCopy) {
    super('The report is held already.');
    this.copy = copy;
  }
}

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
  await transact(needs.database, async (session) => {
    await finishMessages(session, orgId, [finishedMessage(delivery, parts)]);
    await witnessRepeats(session, orgId, repeats);
  });
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
    if (error instanceof ReportError || error instanceof UnpackError)
      return tellsRefusals(delivery) ? [refusedPart(path, null, error)] : [];
    throw error;
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
    storedOther: await storeOther(session, orgId, otherCopies),
    stored: await storeReports(session, orgId, copies),
  }));
  return [
    ...parts,
    ...copies.map(({ copy }, i) => partOf(document.path, document.sha256, copy, stored[i]!)),
    ...otherCopies.map((copy, i) => otherPart(document.path, document.sha256, copy, storedOther[i]!)),
  ];
}

async function storeStream(
  needs: StoreNeeds,
  orgId: string,
  delivery: OpenedDelivery,
  large: LargeDocument,
): Promise<MessagePart[]> {
  const sha256 = await contentHash(large);
  const header = await headerToChoose(delivery, large);
  const domains = header ? [header.policyPublished.domain] : [];
  const choice = chooseReport(delivery.selection, domains);
  const place = { path: large.path, sha256: sha256.toString('hex') };
  if (choice.kind !== 'taken') return untakenParts({ ...place, kind: 'rua' }, choice, domains);
  const [known] = await findPayloads(needs.database.db, orgId, [sha256]);
  if (known && known.outcome !== 'refused' && known.message_id !== delivery.message.id)
    return [duplicatePart(place.path, place.sha256, known.message_id)];
  const { copy, stored } = await storeOnce(needs, orgId, { delivery, large, sha256 }, header).catch(
    async (error: unknown) => {
      if (!(error instanceof ReportError) || error.code !== 'header_after_records') throw error;
      const found = await readHeader(large.document.open(), contextOf(delivery, large));
      return await storeOnce(needs, orgId, { delivery, large, sha256 }, found);
    },
  );
  return [partOf(place.path, place.sha256, copy, stored)];
}

/** The header, where it decides whether the report is for this organization: no record may go in before that is known. */
async function headerToChoose(delivery: OpenedDelivery, large: LargeDocument): Promise<ReportHeader | undefined> {
  if (delivery.selection.onlyDomains === null) return undefined;
  return await readHeader(large.document.open(), contextOf(delivery, large));
}

interface LargeReport {
  delivery: OpenedDelivery;
  large: LargeDocument;
  sha256: Buffer;
}

/** One pass over the document: header, then records into the table, then what they add up to. */
async function storeOnce(
  needs: StoreNeeds,
  orgId: string,
  { delivery, large, sha256 }: LargeReport,
  header?: ReportHeader,
) {
  try {
    return await transact(
      needs.database,
      async (session) => {
        const events = streamReport(large.document.open(), { ...contextOf(delivery, large), header });
        const first = await events.next();
        if (first.done || first.value.type !== 'header') throw new Error('A report begins with its header.');
        const read = first.value.header;
        const place = (await placeHeaders(needs.dimensions, orgId, [read]))(read);
        const sums = noSums();
        let warnings: Warning[] = [];
        const draft = makeCopy(read, sums, [], copyOrigin(delivery, large.path, sha256, read), place);
        async function* batches(): AsyncGenerator<ReportRecord[]> {
          for await (const event of events) {
            if (event.type === 'end') warnings = merged(large.warnings, event.warnings);
            if (event.type !== 'records') continue;
            for (const record of event.records) addRecord(sums, record);
            yield event.records;
          }
        }
        const complete = (): ReportCopy => ({ ...draft, warnings });
        if ((await storeStreamed(session, orgId, draft, batches(), complete)) === 'known')
          throw new AlreadyHeld(complete());
        return { copy: complete(), stored: { outcome: 'stored' as const, reportId: draft.id } };
      },
      { unlimited: true },
    );
  } catch (error) {
    if (!(error instanceof AlreadyHeld)) throw error;
    const { copy } = error;
    const answers = await transact(needs.database, (session) => addCopies(session, orgId, [copy]));
    return { copy, stored: answers.get(copy)! };
  }
}

async function contentHash({ document }: LargeDocument): Promise<Buffer> {
  const digest = createHash('sha256');
  for await (const chunk of document.open()) digest.update(chunk);
  return digest.digest();
}

function contextOf({ message }: OpenedDelivery, { name }: LargeDocument) {
  return { receivedAt: Math.floor(message.receivedAt.getTime() / 1000), name };
}

function partOf(
  path: string,
  sha256: string,
  { sums, warnings, origin }: ReportCopy,
  { outcome, reportId }: Stored,
): MessagePart {
  return reportedPart({
    path,
    sha256,
    kind: 'rua',
    outcome,
    report: { id: reportId, records: sums.records, messages: sums.messages },
    warnings: toldWarnings(warnings, origin),
  });
}
