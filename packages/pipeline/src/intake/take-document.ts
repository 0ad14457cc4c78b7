import type { MessagePart } from '@dmarc-ledger/schema';
import type { ReportReading } from '@dmarc-ledger/rua';
import type { Meter } from '@dmarc-ledger/unpack';
import { refusedPart, untakenParts } from './message-parts.ts';
import type { OpenedDelivery } from './open-delivery.ts';
import { readDocument, type WholeDocument } from './read-documents.ts';
import type { OtherReading } from './read-other.ts';
import { chooseReport, domainsOf } from './selection.ts';

/** The reports of a document that this organization takes, and the outcomes of the rest. */
export interface TakenDocument {
  readings: ReportReading[];
  others: OtherReading[];
  parts: MessagePart[];
}

const storedMeters = new WeakMap<WholeDocument, Meter>();

/**
 * Reads a document and keeps the reports that are for this organization, whose records count against what it may store
 * now.
 * @throws {RecordBudgetError} if they are more
 */
export async function takeDocument(document: WholeDocument, delivery: OpenedDelivery): Promise<TakenDocument> {
  const { selection } = delivery;
  const { path, sha256 } = document;
  const { readings, others, refusals } = await readDocument(document, delivery);
  const parts = recordsRefusals(delivery) ? refusals.map((refusal) => refusedPart(path, sha256, refusal)) : [];
  const isTaken = (kind: OtherReading['kind'] | 'rua', domains: readonly string[]) => {
    const choice = chooseReport(selection, domains);
    for (const part of untakenParts({ path, sha256, kind }, choice, domains)) parts.push(part);
    return choice.kind === 'taken';
  };
  const taken = readings.filter(({ header }) => isTaken('rua', [header.policyPublished.domain]));
  storedMeter(document, delivery).reach(taken.reduce((sum, { records }) => sum + records.length, 0));
  return {
    readings: taken,
    others: others.filter((reading) => isTaken(reading.kind, domainsOf(reading))),
    parts,
  };
}

/** A document is taken again when its transaction failed; its records count once. */
function storedMeter(document: WholeDocument, { budget }: OpenedDelivery): Meter {
  const meter = storedMeters.get(document) ?? budget.storedMeter();
  storedMeters.set(document, meter);
  return meter;
}

/** An unreadable document is recorded for the organization of the delivery, because its reports' owner is unknown. */
export function recordsRefusals({ selection: { onlyDomains, others } }: OpenedDelivery): boolean {
  return onlyDomains === null || others !== null;
}
