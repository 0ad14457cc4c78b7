import { createHash } from 'node:crypto';
import {
  addCopies,
  addRecord,
  findPayloads,
  noSums,
  storeStreamed,
  TOTAL_LIMIT,
  transact,
  type MessagePart,
  type ReportCopy,
  type Stored,
} from '@dmarc-ledger/db';
import type { ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';
import { readHeader, ReportError, streamReport } from '@dmarc-ledger/rua';
import type { Warning } from '@dmarc-ledger/vocabulary';
import { copyOrigin } from './copy-origin.ts';
import { aggregatePart, duplicatePart, untakenParts } from './message-story.ts';
import type { OpenedDelivery, OpenedDocument } from './open-delivery.ts';
import { merged } from './read-documents.ts';
import { makeCopy, placeHeaders } from './report-copy.ts';
import { chooseReport } from './selection.ts';
import type { StoreNeeds } from './store-load.ts';

type LargeDocument = Extract<OpenedDocument, { kind: 'large' }>;

/** Undoes a transaction whose report is held already, or has no room in the totals. */
class NotStored extends Error {
  readonly copy: ReportCopy;
  readonly outcome: 'known' | 'refused';
  constructor(copy: ReportCopy, outcome: 'known' | 'refused') {
    super(`The report is not stored: ${outcome}.`);
    this.copy = copy;
    this.outcome = outcome;
  }
}

/** Stores a report of any size, when it is for this organization; its records flow from the archive into the table. */
export async function storeStream(
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
  return [aggregatePart(place.path, place.sha256, copy, stored)];
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
): Promise<{ copy: ReportCopy; stored: Stored }> {
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
        const outcome = await storeStreamed(session, orgId, draft, batches(), complete);
        if (outcome !== 'stored') throw new NotStored(complete(), outcome);
        return { copy: complete(), stored: { outcome, reportId: draft.id } };
      },
      { unlimited: true },
    );
  } catch (error) {
    if (!(error instanceof NotStored)) throw error;
    const { copy } = error;
    const kept = (await transact(needs.database, (session) => addCopies(session, orgId, [copy]))).get(copy);
    if (kept) return { copy, stored: kept };
    if (error.outcome === 'refused') return { copy, stored: { outcome: error.outcome, ...TOTAL_LIMIT } };
    return await storeOnce(needs, orgId, { delivery, large, sha256 }, header); // deleted meanwhile: it is new now
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
