import type { ReportRecord } from './report.ts';
import { failureBucket, isCompliant } from './verdict.ts';

/** The sums over a report's records: messages and records, never both in one figure. */
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

/** Adds a record to the sums of its report, in place. (rules, counts/counters) */
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

/** The result of a report: `none` without messages, `pass` if all are compliant. */
export function reportResult({ messages, compliant }: Pick<ReportSums, 'messages' | 'compliant'>): ReportResult {
  if (messages === 0) return 'none';
  return compliant === messages ? 'pass' : 'fail';
}

export type ReportResult = 'none' | 'pass' | 'fail';

/**
 * The failures of messages: a message without aligned SPF and without aligned DKIM counts twice. (rules,
 * counts/total-limit)
 */
export function failuresOf({ messages, spfPass, dkimPass }: Pick<ReportSums, 'messages' | 'spfPass' | 'dkimPass'>) {
  return 2 * messages - spfPass - dkimPass;
}
