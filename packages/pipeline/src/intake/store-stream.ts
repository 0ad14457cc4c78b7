import { createHash } from 'node:crypto';
import {
  addCopies,
  addRecord,
  findPayloads,
  noSums,
  storeStreamed,
  transact,
  type MessagePart,
  type ReportCopy,
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

/** Undoes a transaction whose report turned out to be held already. */
class AlreadyHeld extends Error {
  readonly copy: ReportCopy;
  constructor(copy: ReportCopy) {
    super('The report is held already.');
    this.copy = copy;
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
