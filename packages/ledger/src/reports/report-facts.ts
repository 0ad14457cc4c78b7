import type { RecordAlignment, ReportHeader, ReportRecord, ReportSums, SourceFacts } from '@dmarc-ledger/dmarc';
import type { Warning } from '@dmarc-ledger/vocabulary';

/** The origin of a copy of a report. */
export interface CopyOrigin {
  messageId: string;
  payloadSha256: Buffer;
  /** Path of the document inside its delivery. */
  document: string;
  receivedAt: Date;
  mailReceivedAt: Date | null;
  authenticated: boolean | null;
  /** True if an import brought it. */
  isUnproven: boolean;
  /** True if a person released its delivery, or had its reports counted at once. */
  isReleased: boolean;
}

/** A parsed report, ready to be stored, without its records. */
export interface ReportCopy {
  id: string;
  identity: Buffer;
  /** The identity that it has for a tool that cuts report ids at the `@`; null where the id has none. */
  cutIdentity: Buffer | null;
  header: ReportHeader;
  day: string;
  domainId: string;
  reporterId: string;
  sums: ReportSums;
  warnings: Warning[];
  origin: CopyOrigin;
}

/** Receives the records of a report while they are written, in order, with what aligns. */
export interface RecordsWriting {
  /** Called before the first record: again, when the transaction is tried again. */
  begin(): void;
  add(record: ReportRecord, alignment: RecordAlignment, position: number): void;
}

/** The records of a report, in batches; and the report with its sums, once the last was taken. */
export interface StreamedRecords {
  records: AsyncIterable<readonly ReportRecord[]>;
  complete: () => ReportCopy;
  writing?: RecordsWriting | undefined;
}

/** What is known of an address by now; undefined: nothing. */
export type FactsOf = (address: string) => SourceFacts | undefined;
