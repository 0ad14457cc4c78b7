import type { ReportReading } from '@dmarc-ledger/rua';
import type { Refusal } from '@dmarc-ledger/vocabulary';
import type { OtherReading } from './read-other.ts';

/** The content of a document in memory: its reports, and the refusals, each root separately. */
export interface DocumentReading {
  readings: ReportReading[];
  /** Reports of other kinds. */
  others: OtherReading[];
  refusals: Refusal[];
}
