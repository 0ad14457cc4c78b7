import {
  type CopyKey,
  holdsUnauthenticated,
  isReportHeld,
  type ReportCopy,
  storeStreamed,
  TOTAL_LIMIT,
} from '@dmarc-ledger/ledger';
import { type MessagePart, transact } from '@dmarc-ledger/schema';
import type { ReportHeader } from '@dmarc-ledger/dmarc';
import { copyKeyOf, heldPart, holdBack, isDoubtful, isRebuilt } from './hold-reports.ts';
import { batchesWithFacts } from './facts-of-failing.ts';
import { beginReading, type LargeDocument, type LargeReading } from './large-reading.ts';
import { findFirstDelivery } from './known-contents.ts';
import { aggregatePart, duplicatePart, untakenParts } from './message-parts.ts';
import type { OpenedDelivery } from './open-delivery.ts';
import { placeHeaders } from './report-copy.ts';
import { chooseReport } from './selection.ts';
import type { StoreNeeds } from './store-batches.ts';
import { addCopy, NotStored } from './store-records.ts';
import { holdRepeated, witnessRepeats } from './witness-repeats.ts';

/**
 * Stores a report of any size, when it is for this organization, in one pass over the document: its records stream from
 * the archive into the table while the document is hashed. Whether the content or the report is already known shows at
 * the end, and then everything is rolled back; a report whose identity is stored is only hashed and summed up. Adds to
 * `held` what the organization holds instead.
 */
export async function storeStream(
  needs: StoreNeeds,
  orgId: string,
  { delivery, large }: LargeReport,
  held: CopyKey[],
): Promise<MessagePart[]> {
  const reading = await beginReading(delivery, large);
  try {
    const domains = [reading.header.policyPublished.domain];
    const choice = chooseReport(delivery.selection, domains);
    if (choice.kind !== 'taken') {
      const place = { path: large.path, sha256: (await reading.hashOnly()).toString('hex'), kind: 'rua' as const };
      return untakenParts(place, choice, domains);
    }
    const part = await holdIfDoubtful(needs, orgId, { report: { delivery, large }, held }, reading.header);
    return part ? [part] : await storeTaken(needs, orgId, { delivery, large }, reading);
  } finally {
    await reading.close();
  }
}

interface LargeReport {
  delivery: OpenedDelivery;
  large: LargeDocument;
}

/** Holds a report back where the organization does so, and returns the outcome; undefined for any other report. */
async function holdIfDoubtful(
  { database }: StoreNeeds,
  orgId: string,
  { report: { delivery, large }, held }: { report: LargeReport; held: CopyKey[] },
  header: ReportHeader,
): Promise<MessagePart | undefined> {
  if (!isDoubtful(delivery, header)) return undefined;
  const isImported = isRebuilt(delivery);
  if (!isImported && !(await holdsUnauthenticated(database.db, orgId))) return undefined;
  const summed = await beginReading(delivery, large);
  try {
    for await (const batch of summed.batches()) void batch;
    const { records, messages, payloadSha256 } = summed.total();
    const heldBack = await holdBack(database, orgId, [{ delivery, header, payloadSha256 }]);
    if (heldBack.size === 0) return undefined;
    held.push(copyKeyOf({ header, payloadSha256 }));
    return heldPart({ path: large.path, sha256: payloadSha256.toString('hex'), isImported }, header, {
      records,
      messages,
    });
  } finally {
    await summed.close();
  }
}

async function storeTaken(
  needs: StoreNeeds,
  orgId: string,
  report: LargeReport,
  reading: LargeReading,
): Promise<MessagePart[]> {
  const { database, dimensions } = needs;
  const place = (await placeHeaders(dimensions, orgId, [reading.header]))(reading.header);
  const copy = reading.draft(place);
  let fresh: LargeReading | undefined = reading;
  if (await isReportHeld(database.db, orgId, copy.identity)) {
    for await (const batch of reading.batches()) void batch;
    const parts = await addToKnown(needs, orgId, report, reading.complete(copy));
    if (parts) return parts;
    fresh = undefined; // it was deleted in between, and is new now
  }
  for (;;) {
    try {
      const complete = await storeFresh(needs, orgId, report, { draft: copy, first: fresh });
      return [partOf(report, complete, { outcome: 'stored', reportId: complete.id })];
    } catch (error) {
      if (!(error instanceof ReadButNotStored)) throw error;
      const parts = await addToKnown(needs, orgId, report, error.copy);
      if (parts) return parts;
      if (error.code === 'refused') return [partOf(report, error.copy, { outcome: 'refused', ...TOTAL_LIMIT })];
      fresh = undefined;
    }
  }
}

/** Rolls back a transaction whose content or report turned out to be known, or does not fit into the totals. */
class ReadButNotStored extends NotStored {
  readonly copy: ReportCopy;
  constructor(outcome: 'known' | 'refused', copy: ReportCopy) {
    super(outcome);
    this.copy = copy;
  }
}

async function storeFresh(
  { database, recent }: StoreNeeds,
  orgId: string,
  { delivery, large }: LargeReport,
  { draft, first }: { draft: ReportCopy; first: LargeReading | undefined },
): Promise<ReportCopy> {
  let begun = first;
  const writing = recent?.write(draft);
  const stored = await transact(
    database,
    async (session) => {
      const reading = begun ?? (await beginReading(delivery, large)); // a failed try has used up the reading
      begun = undefined;
      try {
        let complete: ReportCopy = draft;
        const outcome = await storeStreamed(session, orgId, draft, {
          ...batchesWithFacts(database.db, orgId, reading.batches()),
          complete: () => (complete = reading.complete(draft)),
          writing,
        });
        const content = await findFirstDelivery(
          session.db,
          orgId,
          delivery,
          complete.origin.payloadSha256.toString('hex'),
        );
        if (outcome !== 'stored') throw new ReadButNotStored(outcome, complete);
        if (content !== undefined) throw new ReadButNotStored('known', complete);
        return complete;
      } finally {
        await reading.close();
      }
    },
    { unlimited: true, signal: delivery.budget.stopping },
  );
  if (writing) recent?.keep(writing);
  return stored;
}

/**
 * Records a copy with the report that it repeats: one of the same identity, or one of the same content. Returns the
 * outcome; undefined when neither is stored any more.
 */
async function addToKnown(
  { database }: StoreNeeds,
  orgId: string,
  report: LargeReport,
  copy: ReportCopy,
): Promise<MessagePart[] | undefined> {
  const { delivery, large } = report;
  const hex = copy.origin.payloadSha256.toString('hex');
  const first = await findFirstDelivery(database.db, orgId, delivery, hex);
  if (first === undefined) {
    const kept = await addCopy(database, orgId, copy);
    return kept && [partOf(report, copy, kept)];
  }
  const repeats = [{ delivery, path: large.path, sha256: hex, isStored: true }];
  await transact(database, async (session) => {
    const held = await holdRepeated(session, orgId, repeats);
    await witnessRepeats(session, orgId, repeats, held);
  });
  return [duplicatePart(large.path, hex, first)];
}

function partOf({ large }: LargeReport, copy: ReportCopy, stored: Parameters<typeof aggregatePart>[3]): MessagePart {
  return aggregatePart(large.path, copy.origin.payloadSha256.toString('hex'), copy, stored);
}
