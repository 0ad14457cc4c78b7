import {
  findPayloads,
  finishMessages,
  storeOther,
  storeReports,
  transact,
  type CopyOrigin,
  type Database,
  type Dimensions,
  type MessagePart,
  type Stored,
  type WholeCopy,
} from '@dmarc-ledger/db';
import type { ReportHeader } from '@dmarc-ledger/dmarc';
import type { ReportReading } from '@dmarc-ledger/rua';
import { failPoint } from '@dmarc-ledger/vocabulary';
import { copyOrigin } from './copy-origin.ts';
import { aggregatePart, duplicatePart, finishedMessage, otherPart, refusedPart } from './message-story.ts';
import type { IntakeObserver } from './observer.ts';
import type { OpenedDelivery } from './open-delivery.ts';
import { makeOtherCopy } from './other-copy.ts';
import type { WholeDocument } from './read-documents.ts';
import type { OtherReading } from './read-other.ts';
import { makeCopy, placeHeaders, sumRecords } from './report-copy.ts';
import { takeDocument, tellsRefusals } from './take-document.ts';
import { witnessRepeats, type Repeat } from './witness-repeats.ts';

export interface StoreNeeds {
  database: Database;
  dimensions: Dimensions;
  observer?: IntakeObserver | undefined;
}

interface ReadReport<Reading = ReportReading> {
  delivery: OpenedDelivery;
  document: WholeDocument;
  reading: Reading;
}

/**
 * Stores several deliveries of one organization in one transaction: their reports, rollups, the work that follows, and
 * how each delivery ended. Content seen before is known by its hash and not parsed again.
 */
export async function storeLoad(
  { database, dimensions, observer }: StoreNeeds,
  orgId: string,
  load: readonly OpenedDelivery[],
): Promise<void> {
  const { parts, reports, others, repeats } = read(load, await knownContents(database, orgId, load));
  const placeOf = await placeHeaders(
    dimensions,
    orgId,
    reports.map(({ reading }) => reading.header),
  );
  const copies = reports.map((report): WholeCopy => ({
    copy: makeCopy(
      report.reading.header,
      sumRecords(report.reading.records),
      report.reading.warnings,
      originOf(report, report.reading.header),
      placeOf(report.reading.header),
    ),
    records: report.reading.records,
  }));
  const otherCopies = others.map((other) => makeOtherCopy(other.reading, originOf(other)));
  await failPoint('F12');
  const finished = await transact(database, async (session) => {
    const stored = await storeReports(session, orgId, copies);
    const storedOther = await storeOther(session, orgId, otherCopies); // whose events lock the organization's totals
    const told = new Map([...parts].map(([delivery, list]) => [delivery, [...list]]));
    reports.forEach((report, i) => told.get(report.delivery)!.push(partOf(report, copies[i]!, stored[i]!)));
    others.forEach(({ delivery, document }, i) =>
      told.get(delivery)!.push(otherPart(document.path, document.sha256, otherCopies[i]!, storedOther[i]!)),
    );
    const endings = [...told].map(([delivery, list]) => finishedMessage(delivery, list));
    await finishMessages(session, orgId, endings);
    await witnessRepeats(session, orgId, repeats);
    await failPoint('F13');
    return endings;
  });
  finished.forEach((ending, i) => {
    const { message, openedAt } = load[i]!;
    observer?.finished({ ...ending, orgId, source: message.source, openedAt });
  });
}

async function knownContents(
  { db }: Database,
  orgId: string,
  load: readonly OpenedDelivery[],
): Promise<Map<string, string>> {
  const hashes = load.flatMap(({ documents }) =>
    documents.flatMap((document) => (document.kind === 'whole' ? [document.sha256] : [])),
  );
  const found = await findPayloads(
    db,
    orgId,
    hashes.map((hash) => Buffer.from(hash, 'hex')),
  );
  return new Map(
    found
      .filter(({ outcome }) => outcome !== 'refused')
      .map(({ sha256, message_id }) => [sha256.toString('hex'), message_id]),
  );
}

/** Reads every document that is new, and says of the others what they are. */
function read(load: readonly OpenedDelivery[], known: Map<string, string>) {
  const parts = new Map<OpenedDelivery, MessagePart[]>(load.map((delivery) => [delivery, []]));
  const reports: ReadReport[] = [];
  const others: ReadReport<OtherReading>[] = [];
  const repeats: Repeat[] = [];
  const seen = new Map(known);
  for (const delivery of load) {
    const list = parts.get(delivery)!;
    for (const document of delivery.documents) {
      if (document.kind === 'large') throw new Error('A large document has no place in a load.');
      if (document.kind === 'refused') {
        if (tellsRefusals(delivery)) list.push(refusedPart(document.path, null, document.refusal));
        continue;
      }
      const first = isWhole(delivery) ? seen.get(document.sha256) : undefined;
      if (first !== undefined && known.get(document.sha256) !== delivery.message.id) {
        list.push(duplicatePart(document.path, document.sha256, first));
        repeats.push({ delivery, sha256: document.sha256 });
      } else {
        const taken = takeDocument(document, delivery);
        if (taken.readings.length + taken.others.length > 0 && isWhole(delivery))
          seen.set(document.sha256, delivery.message.id);
        list.push(...taken.parts);
        for (const reading of taken.readings) reports.push({ delivery, document, reading });
        for (const reading of taken.others) others.push({ delivery, document, reading });
      }
    }
  }
  return { parts, reports, others, repeats };
}

/** Of a delivery that is taken in part the content says too little: another part of it may have been taken before. */
function isWhole({ selection }: OpenedDelivery): boolean {
  return selection.onlyDomains === null;
}

function originOf({ delivery, document }: ReadReport<unknown>, header?: ReportHeader): CopyOrigin {
  return copyOrigin(delivery, document.path, Buffer.from(document.sha256, 'hex'), header);
}

function partOf({ document }: ReadReport, { copy }: WholeCopy, stored: Stored): MessagePart {
  return aggregatePart(document.path, document.sha256, copy, stored);
}
