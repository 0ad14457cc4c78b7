import type { MessagePart } from '@dmarc-ledger/schema';
import type { ReportReading } from '@dmarc-ledger/rua';
import { refusedPart, untakenParts } from './message-story.ts';
import type { OpenedDelivery } from './open-delivery.ts';
import { readDocument, type WholeDocument } from './read-documents.ts';
import type { OtherReading } from './read-other.ts';
import { chooseReport, domainsOf } from './selection.ts';

/** What this organization takes of a document, and what is to be told of the rest. */
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

/** What cannot be read is told to whom the delivery is for: nobody knows whose it was. */
export function tellsRefusals({ selection: { onlyDomains, others } }: OpenedDelivery): boolean {
  return onlyDomains === null || others !== null;
}
