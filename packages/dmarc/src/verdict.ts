import type { Outcome, PolicyEvaluated } from './report.ts';

/** True when the reporter saw an aligned pass of either mechanism: the message passed DMARC. (RFC 9989, 5.3.5) */
export function isCompliant({ dkim, spf }: Pick<PolicyEvaluated, 'dkim' | 'spf'>): boolean {
  return dkim === 'pass' || spf === 'pass';
}

/** Records (not messages) by what failed to give an aligned pass; the first three exclude each other. */
export interface FailureSummary {
  spfOnly: number;
  dkimOnly: number;
  both: number;
  total: number;
}

export function summarizeFailures(outcomes: Iterable<{ dkim: Outcome; spf: Outcome }>): FailureSummary {
  const summary: FailureSummary = { spfOnly: 0, dkimOnly: 0, both: 0, total: 0 };
  for (const { dkim, spf } of outcomes) {
    summary.total += 1;
    if (dkim === 'pass' && spf === 'fail') summary.spfOnly += 1;
    else if (dkim === 'fail' && spf === 'pass') summary.dkimOnly += 1;
    else if (dkim === 'fail') summary.both += 1;
  }
  return summary;
}
