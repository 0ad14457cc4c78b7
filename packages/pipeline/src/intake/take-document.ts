import type { MessagePart } from '@dmarc-ledger/schema';
import type { ReportReading } from '@dmarc-ledger/rua';
import { refusedPart, untakenParts } from './message-story.ts';
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

/** Reads a document and keeps the reports that are for this organization. */
export async function takeDocument(document: WholeDocument, delivery: OpenedDelivery): Promise<TakenDocument> {
  const { selection } = delivery;
  const { path, sha256 } = document;
  const { readings, others, refusals } = await readDocument(document, delivery);
  const parts = tellsRefusals(delivery) ? refusals.map((refusal) => refusedPart(path, sha256, refusal)) : [];
  const isTaken = (kind: OtherReading['kind'] | 'rua', domains: readonly string[]) => {
    const choice = chooseReport(selection, domains);
    for (const part of untakenParts({ path, sha256, kind }, choice, domains)) parts.push(part);
    return choice.kind === 'taken';
  };
  return {
    readings: readings.filter(({ header }) => isTaken('rua', [header.policyPublished.domain])),
    others: others.filter((reading) => isTaken(reading.kind, domainsOf(reading))),
    parts,
  };
}

/** An unreadable document is recorded for the organization of the delivery, because its reports' owner is unknown. */
export function tellsRefusals({ selection: { onlyDomains, others } }: OpenedDelivery): boolean {
  return onlyDomains === null || others !== null;
}
