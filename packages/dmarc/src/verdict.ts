import type { PolicyEvaluated } from './report.ts';

/**
 * True if the reporter saw an aligned pass of either mechanism: the message passed DMARC. (RFC 9989, 5.3.5; rules,
 * verdict/reporters-verdict)
 */
export function isCompliant({ dkim, spf }: Pick<PolicyEvaluated, 'dkim' | 'spf'>): boolean {
  return dkim === 'pass' || spf === 'pass';
}

/** The mechanisms of a record without an aligned pass; `both` means that it fails DMARC. */
export type FailureBucket = 'spfOnly' | 'dkimOnly' | 'bothFailed';

/**
 * Returns the bucket of the failure summary that a record belongs to, or none if nothing failed. (rules,
 * verdict/failure-summary)
 */
export function failureBucket({ dkim, spf }: Pick<PolicyEvaluated, 'dkim' | 'spf'>): FailureBucket | undefined {
  if (dkim === 'fail' && spf === 'fail') return 'bothFailed';
  if (spf === 'fail') return 'spfOnly';
  return dkim === 'fail' ? 'dkimOnly' : undefined;
}
