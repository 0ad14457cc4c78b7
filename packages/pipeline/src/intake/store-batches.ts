import type { BlobStore } from '@dmarc-ledger/blobs';
import {
  type CopyKey,
  type CopyOrigin,
  type Dimensions,
  type FactsOf,
  findBroughtBefore,
  noteChanges,
  type OtherCopy,
  storeOther,
  storeReports,
  type WholeCopy,
} from '@dmarc-ledger/ledger';
import type { Database, MessagePart, Session } from '@dmarc-ledger/schema';
import type { ReporterFields } from '@dmarc-ledger/dmarc';
import { present } from '@dmarc-ledger/vocabulary';
import { raiseReported } from '../events/raise-reported.ts';
import { isReadAnew } from './brought-again.ts';
import { copyOrigin } from './copy-origin.ts';
import { factsOfFailing } from './facts-of-failing.ts';
import { copyKeyOf, heldPart, holdBack, isRebuilt } from './hold-reports.ts';
import { aggregatePart, otherPart } from './message-parts.ts';
import type { IntakeObserver } from './observer.ts';
import type { OpenedDelivery } from './open-delivery.ts';
import { makeOtherCopy } from './other-copy.ts';
import { otherReporter } from './other-reporter.ts';
import type { ReadLoad, ReadReport } from './read-load.ts';
import { makeCopy, placeHeaders, sumRecords } from './report-copy.ts';
import { storeRecords } from './store-records.ts';
import type { RecentReports, WrittenReport } from '../records/recent-reports.ts';

export interface StoreNeeds {
  database: Database;
  blobs: BlobStore;
  dimensions: Dimensions;
  observer?: IntakeObserver | undefined;
  /** Keeps what stored records show for the judgement by the same process. */
  recent?: RecentReports | undefined;
}

/** A report with more records than this is stored in batches, in a transaction of its own. */
const TOGETHER = 5_000;

/** The reports that were read, in the form that is stored. */
export interface PreparedLoad extends ReadLoad {
  copies: (WholeCopy & { writing?: WrittenReport | undefined })[];
  otherCopies: OtherCopy[];
  /** The reports that the organization holds. */
  held: CopyKey[];
  factsOf: FactsOf;
}

/** Stores the reports of many records, and prepares the others for one transaction. */
export async function prepareLoad(needs: StoreNeeds, orgId: string, read: ReadLoad): Promise<PreparedLoad> {
  const parts = new Map([...read.parts].map(([delivery, list]) => [delivery, [...list]]));
  const found = read.reports.map((report) => ({ ...report, ...foundIn(report) }));
  const heldBack = await holdBack(needs.database, orgId, found);
  // a held report adds no names
  const placeOf = await placeHeaders(
    needs.dimensions,
    orgId,
    found.filter((report) => !heldBack.has(report)).map(({ header }) => header),
  );
  const copyOf = (report: ReadReport) => {
    const { header, records, warnings } = report.reading;
    return makeCopy(
      { header, sums: sumRecords(records), warnings },
      originOf(report, header.metadata),
      placeOf(header),
    );
  };
  const reports: ReadReport[] = [];
  for (const [i, report] of read.reports.entries()) {
    if (heldBack.has(present(found[i]))) {
      const { header, records } = report.reading;
      const place = { ...report.document, isImported: isRebuilt(report.delivery) };
      add(parts, report, heldPart(place, header, sumRecords(records)));
    } else if (report.reading.records.length <= TOGETHER) reports.push(report);
    else add(parts, report, await storeAlone(needs, orgId, report, copyOf(report)));
  }
  const copies = reports.map((report) => {
    const copy = copyOf(report);
    return { copy, records: report.reading.records, writing: needs.recent?.write(copy) };
  });
  const otherCopies = read.others.map((other) =>
    makeOtherCopy(other.reading, originOf(other, otherReporter(other.reading))),
  );
  const recordLists = copies.map(({ records }) => records);
  const factsOf = await factsOfFailing(needs.database.db, orgId, recordLists);
  return { ...read, parts, reports, copies, otherCopies, held: [...heldBack].map(copyKeyOf), factsOf };
}

/** Stores what was prepared, and returns the outcome of every document. */
export async function storePrepared(
  session: Session,
  orgId: string,
  { parts, reports, copies, others, otherCopies, factsOf }: PreparedLoad,
): Promise<Map<OpenedDelivery, MessagePart[]>> {
  const stored = await storeReports(session, orgId, copies, factsOf);
  const again = new Set(others.flatMap(({ delivery: { message } }) => (message.isReread ? [message.id] : [])));
  const before = await findBroughtBefore(session, orgId, [...again]);
  const { kept, put, corrected } = await storeOther(session, orgId, otherCopies);
  const trusted = put.filter((copy) => copy.origin.authenticated !== false && !isReadAnew(copy, before, otherCopies));
  await raiseReported(session, orgId, trusted); // locks the organization's totals
  // answers that are kept show placement
  if ([...put, ...corrected].some(({ kind }) => kind === 'aprf')) await noteChanges(session, orgId);
  const outcomes = new Map([...parts].map(([delivery, list]) => [delivery, [...list]]));
  reports.forEach((report, i) => {
    const { path, sha256 } = report.document;
    add(outcomes, report, aggregatePart(path, sha256, present(copies[i]).copy, present(stored[i])));
  });
  others.forEach((other, i) => {
    const { path, sha256 } = other.document;
    add(outcomes, other, otherPart(path, sha256, present(otherCopies[i]), present(kept[i])));
  });
  return outcomes;
}

/** Keeps what the records of stored reports show, after the transaction that has stored them. */
export function keepStored({ recent }: StoreNeeds, { copies }: PreparedLoad): void {
  for (const { writing } of copies) if (writing) recent?.keep(writing);
}

async function storeAlone(
  needs: StoreNeeds,
  orgId: string,
  { document: { path, sha256 }, reading }: ReadReport,
  copy: WholeCopy['copy'],
): Promise<MessagePart> {
  return aggregatePart(path, sha256, copy, await storeRecords(needs, orgId, copy, reading.records));
}

function add(parts: ReadonlyMap<OpenedDelivery, MessagePart[]>, { delivery }: ReadReport<unknown>, part: MessagePart) {
  parts.get(delivery)?.push(part);
}

function foundIn({ document, reading: { header } }: ReadReport) {
  return { header, payloadSha256: Buffer.from(document.sha256, 'hex') };
}

function originOf({ delivery, document }: ReadReport<unknown>, reporter: ReporterFields | undefined): CopyOrigin {
  return copyOrigin(delivery, document.path, Buffer.from(document.sha256, 'hex'), reporter);
}
