import type { PolicyEvaluated } from './report.ts';

/**
 * True when the reporter saw an aligned pass of either mechanism: the message passed DMARC. (RFC 9989, 5.3.5;
 * rules, verdict/reporters-verdict)
 */
export function isCompliant({ dkim, spf }: Pick<PolicyEvaluated, 'dkim' | 'spf'>): boolean {
  return dkim === 'pass' || spf === 'pass';
}

/** What kept a record from an aligned pass of both mechanisms; `both` is what makes it fail DMARC. */
export type FailureBucket = 'spfOnly' | 'dkimOnly' | 'bothFailed';

/**
 * The one bucket of the failure summary that a record is in, or none when nothing failed.
 * (rules, verdict/failure-summary)
 */
export function failureBucket({ dkim, spf }: Pick<PolicyEvaluated, 'dkim' | 'spf'>): FailureBucket | undefined {
  if (dkim === 'fail' && spf === 'fail') return 'bothFailed';
  if (spf === 'fail') return 'spfOnly';
  return dkim === 'fail' ? 'dkimOnly' : undefined;
}
