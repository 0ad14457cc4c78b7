import type { ReportReading } from '@dmarc-ledger/rua';
import type { Refusal } from '@dmarc-ledger/vocabulary';
import type { OtherReading } from './read-other.ts';

/** What a document in memory turned out to hold: reports, and what was refused, each root for itself. */
export interface DocumentReading {
  readings: ReportReading[];
  /** Reports of other kinds. */
  others: OtherReading[];
  refusals: Refusal[];
}
