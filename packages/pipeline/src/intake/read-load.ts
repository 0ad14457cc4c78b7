import type { TakenContent } from '@dmarc-ledger/ledger';
import type { MessagePart } from '@dmarc-ledger/schema';
import type { ReportReading } from '@dmarc-ledger/rua';
import { WorkSlices } from '@dmarc-ledger/vocabulary';
import { isAuthenticated } from './copy-origin.ts';
import { isDated, isTakenWhole, otherDelivery } from './known-contents.ts';
import { isDoubtful } from './hold-reports.ts';
import { duplicatePart, refusedPart } from './message-parts.ts';
import type { OpenedDelivery, OpenedDocument } from './open-delivery.ts';
import { otherReporter } from './other-reporter.ts';
import type { WholeDocument } from './read-documents.ts';
import type { OtherReading } from './read-other.ts';
import { type TakenDocument, takeDocument, recordsRefusals } from './take-document.ts';
import type { Repeat } from './witness-repeats.ts';

/** Documents of a delivery that are stored together, without the large ones. */
export interface Batch {
  delivery: OpenedDelivery;
  documents: readonly OpenedDocument[];
}

/** A report, and the document it was found in. */
export interface ReadReport<Reading = ReportReading> {
  delivery: OpenedDelivery;
  document: WholeDocument;
  reading: Reading;
}

/** The contents of several batches: the reports to store, and the known outcomes of the rest. */
export interface ReadLoad {
  parts: Map<OpenedDelivery, MessagePart[]>;
  reports: ReadReport[];
  others: ReadReport<OtherReading>[];
  repeats: Repeat[];
}

/** Contents that are not read again, by SHA-256 in hex. */
export interface Contents {
  /** Of earlier deliveries. */
  known: ReadonlyMap<string, TakenContent>;
  /**
   * The delivery of each that is being stored; grows with each document. One that may count for more in another
   * delivery is known within its own.
   */
  taken: Map<string, string>;
}

/** Reads every new document, and records for the others what they repeat. */
export async function readLoad(load: readonly Batch[], { known, taken: seen }: Contents): Promise<ReadLoad> {
  const work = new WorkSlices();
  const read: ReadLoad = {
    parts: new Map(load.map(({ delivery }) => [delivery, []])),
    reports: [],
    others: [],
    repeats: [],
  };
  for (const { delivery, documents } of load) {
    const parts = read.parts.get(delivery) ?? [];
    for (const document of documents) {
      await work.pause();
      if (document.kind === 'large') throw new Error('A large document has no place in a load.');
      if (document.kind === 'refused') {
        if (recordsRefusals(delivery)) parts.push(refusedPart(document.path, null, document.refusal));
        continue;
      }
      const { path, sha256 } = document;
      const isWhole = isTakenWhole(delivery);
      const isKnown = isWhole && !isDated(document, delivery);
      const within = isWhole ? seen.get(withinOne(delivery, sha256)) : undefined;
      const here = within ?? (isKnown ? seen.get(sha256) : undefined);
      const first = here ?? (isKnown ? otherDelivery(known, sha256, delivery) : undefined);
      if (first !== undefined) {
        parts.push(duplicatePart(path, sha256, first));
        read.repeats.push({ delivery, path, sha256, isStored: here === undefined });
        continue;
      }
      const taken = await takeDocument(document, delivery);
      if (taken.readings.length + taken.others.length > 0 && isWhole) {
        seen.set(withinOne(delivery, sha256), delivery.message.id);
        if (!mayCountElsewhere(delivery, taken)) seen.set(sha256, delivery.message.id);
      }
      for (const part of taken.parts) parts.push(part);
      for (const reading of taken.readings) read.reports.push({ delivery, document, reading });
      for (const reading of taken.others) read.others.push({ delivery, document, reading });
    }
  }
  return read;
}

/** A report that may be held in one delivery may count in another, and one of failing mail may be proved by another. */
function mayCountElsewhere(delivery: OpenedDelivery, { readings, others }: TakenDocument): boolean {
  const isUnproved = (other: OtherReading) => isAuthenticated(delivery, otherReporter(other)) === false;
  return readings.some(({ header }) => isDoubtful(delivery, header)) || others.some(isUnproved);
}

function withinOne({ message }: OpenedDelivery, sha256: string): string {
  return `${sha256} ${message.id}`;
}
