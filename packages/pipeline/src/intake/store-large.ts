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
  type CopyOrigin,
  type MessagePart,
  type ReportCopy,
  type Stored,
  type WholeCopy,
} from '@dmarc-ledger/db';
import type { ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';
import { readHeader, ReportError, streamReport } from '@dmarc-ledger/rua';
import { UnpackError } from '@dmarc-ledger/unpack';
import type { Warning } from '@dmarc-ledger/vocabulary';
import { duplicatePart, finishedMessage, otherPart, refusedPart, reportedPart } from './message-story.ts';
import type { OpenedDelivery, OpenedDocument } from './open-delivery.ts';
import { makeOtherCopy } from './other-copy.ts';
import { merged, readDocument } from './read-documents.ts';
import { makeCopy, placeHeaders, sumRecords } from './report-copy.ts';
import type { StoreNeeds } from './store-load.ts';

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
  await transact(needs.database, (session) => finishMessages(session, orgId, [finishedMessage(delivery, parts)]));
}

async function storeDocument(
  needs: StoreNeeds,
  orgId: string,
  delivery: OpenedDelivery,
  document: OpenedDocument,
): Promise<MessagePart[]> {
  const { path } = document;
  if (document.kind === 'refused') return [refusedPart(path, null, document.refusal)];
  try {
    return document.kind === 'large'
      ? [await storeStream(needs, orgId, delivery, document)]
      : await storeWhole(needs, orgId, delivery, document);
  } catch (error) {
    if (error instanceof ReportError || error instanceof UnpackError) return [refusedPart(path, null, error)];
    throw error;
  }
}

async function storeWhole(
  needs: StoreNeeds,
  orgId: string,
  delivery: OpenedDelivery,
  document: Extract<OpenedDocument, { kind: 'whole' }>,
): Promise<MessagePart[]> {
  const { readings, others, refusals } = readDocument(document, delivery);
  const placeOf = await placeHeaders(
    needs.dimensions,
    orgId,
    readings.map(({ header }) => header),
  );
  const origin = originOf(delivery, document.path, Buffer.from(document.sha256, 'hex'));
  const copies = readings.map(({ header, records, warnings }): WholeCopy => ({
    copy: makeCopy(header, sumRecords(records), warnings, origin, placeOf(header)),
    records,
  }));
  const otherCopies = others.map((reading) => makeOtherCopy(reading, origin));
  const { stored, storedOther } = await transact(needs.database, async (session) => ({
    storedOther: await storeOther(session, orgId, otherCopies),
    stored: await storeReports(session, orgId, copies),
  }));
  return [
    ...refusals.map((refusal) => refusedPart(document.path, document.sha256, refusal)),
    ...copies.map(({ copy }, i) => partOf(document.path, document.sha256, copy, stored[i]!)),
    ...otherCopies.map((copy, i) => otherPart(document.path, document.sha256, copy, storedOther[i]!)),
  ];
}

async function storeStream(
  needs: StoreNeeds,
  orgId: string,
  delivery: OpenedDelivery,
  large: LargeDocument,
): Promise<MessagePart> {
  const sha256 = await contentHash(large);
  const [known] = await findPayloads(needs.database.db, orgId, [sha256]);
  if (known && known.outcome !== 'refused' && known.message_id !== delivery.message.id)
    return duplicatePart(large.path, sha256.toString('hex'), known.message_id);
  const origin = originOf(delivery, large.path, sha256);
  const { copy, stored } = await storeOnce(needs, orgId, origin, large).catch(async (error: unknown) => {
    if (!(error instanceof ReportError) || error.code !== 'header_after_records') throw error;
    const header = await readHeader(large.document.open(), contextOf(origin, large));
    return await storeOnce(needs, orgId, origin, large, header);
  });
  return partOf(large.path, sha256.toString('hex'), copy, stored);
}

/** One pass over the document: header, then records into the table, then what they add up to. */
async function storeOnce(
  needs: StoreNeeds,
  orgId: string,
  origin: CopyOrigin,
  large: LargeDocument,
  header?: ReportHeader,
) {
  try {
    return await transact(
      needs.database,
      async (session) => {
        const events = streamReport(large.document.open(), { ...contextOf(origin, large), header });
        const first = await events.next();
        if (first.done || first.value.type !== 'header') throw new Error('A report begins with its header.');
        const read = first.value.header;
        const place = (await placeHeaders(needs.dimensions, orgId, [read]))(read);
        const sums = noSums();
        let warnings: Warning[] = [];
        const draft = makeCopy(read, sums, [], origin, place);
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

function contextOf({ receivedAt }: CopyOrigin, { name }: LargeDocument) {
  return { receivedAt: Math.floor(receivedAt.getTime() / 1000), name };
}

function originOf({ message, mailReceivedAt }: OpenedDelivery, document: string, payloadSha256: Buffer): CopyOrigin {
  return {
    messageId: message.id,
    payloadSha256,
    document,
    receivedAt: message.receivedAt,
    mailReceivedAt,
    authenticated: null,
  };
}

function partOf(
  path: string,
  sha256: string,
  { sums, warnings }: ReportCopy,
  { outcome, reportId }: Stored,
): MessagePart {
  return reportedPart({
    path,
    sha256,
    kind: 'rua',
    outcome,
    report: { id: reportId, records: sums.records, messages: sums.messages },
    warnings,
  });
}
