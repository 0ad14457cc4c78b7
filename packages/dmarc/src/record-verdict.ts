import { alignRecord, type RecordAlignment } from './alignment.ts';
import type { RecordClass } from './classification.ts';
import type { PolicyPublished, ReportRecord } from './report.ts';
import { isCompliant } from './verdict.ts';

/** The stored judgement of a record. The class of failing mail is null where an older version has just stored it. */
export interface StoredJudgement {
  class: RecordClass | null;
  alignment: RecordAlignment;
}

/** The verdicts on a record in a response. */
export interface RecordVerdict {
  class: RecordClass;
  alignment: RecordAlignment;
}

/**
 * Returns the stored judgement, or what follows from the report alone while the record waits for it: passing mail is
 * authenticated, failing mail needs review, and the alignment is computed from identifiers and policy. (rules,
 * verdict/reporters-verdict)
 */
export function recordVerdict(
  record: Pick<ReportRecord, 'identifiers' | 'authResults'> & {
    policyEvaluated: Pick<ReportRecord['policyEvaluated'], 'dkim' | 'spf'>;
  },
  stored: StoredJudgement,
  policy: PolicyPublished,
): RecordVerdict {
  const { dkim, spf } = record.authResults;
  const isAligned = (dkim === null || stored.alignment.dkim) && (spf === null || stored.alignment.spf);
  return {
    class: isCompliant(record.policyEvaluated) ? 'authenticated' : (stored.class ?? 'needs_review'),
    alignment: isAligned ? stored.alignment : alignRecord(record, policy),
  };
}
