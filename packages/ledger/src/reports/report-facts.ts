import { failureBucket, isCompliant, type ReportHeader, type ReportRecord } from '@dmarc-ledger/dmarc';
import type { Warning } from '@dmarc-ledger/vocabulary';

/** What a report's records add up to: messages and records, never both in one figure. */
export interface ReportSums {
  records: number;
  messages: number;
  compliant: number;
  spfPass: number;
  dkimPass: number;
  spfOnly: number;
  dkimOnly: number;
  bothFailed: number;
}

export function noSums(): ReportSums {
  return { records: 0, messages: 0, compliant: 0, spfPass: 0, dkimPass: 0, spfOnly: 0, dkimOnly: 0, bothFailed: 0 };
}

export function addRecord(sums: ReportSums, { count, policyEvaluated }: ReportRecord): void {
  const { dkim, spf } = policyEvaluated;
  sums.records += 1;
  sums.messages += count;
  if (isCompliant(policyEvaluated)) sums.compliant += count;
  if (spf === 'pass') sums.spfPass += count;
  if (dkim === 'pass') sums.dkimPass += count;
  const failed = failureBucket(policyEvaluated);
  if (failed) sums[failed] += 1;
}

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
