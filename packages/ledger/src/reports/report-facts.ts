import type { ReportHeader, ReportSums } from '@dmarc-ledger/dmarc';
import type { Warning } from '@dmarc-ledger/vocabulary';

/** How a copy of a report came to us. */
export interface CopyOrigin {
  messageId: string;
  payloadSha256: Buffer;
  /** Path of the document inside its delivery. */
  document: string;
  receivedAt: Date;
  mailReceivedAt: Date | null;
  authenticated: boolean | null;
}

/** A report as read, ready to be stored, all but its records. */
export interface ReportCopy {
  id: string;
  identity: Buffer;
  header: ReportHeader;
  day: string;
  domainId: string;
  reporterId: string;
  sums: ReportSums;
  warnings: Warning[];
  origin: CopyOrigin;
}
