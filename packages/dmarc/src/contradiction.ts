import { alignedOutcomes, type RecordAlignment } from './alignment.ts';
import type { Policy, PolicyPublished, ReportRecord } from './report.ts';

export type Contradiction =
  | 'evaluated_dkim_unsupported'
  | 'evaluated_spf_unsupported'
  | 'evaluated_dkim_understated'
  | 'evaluated_spf_understated'
  | 'disposition_without_reason'
  | 'disposition_on_pass';

const STRENGTH: { [P in Policy]: number } = { none: 0, quarantine: 1, reject: 2 };

/**
 * Finds where a reporter's verdict and its own evidence disagree. All figures use the reporter's verdict; a
 * contradiction is a warning. (RFC 9990, 3.1.1.11: an override needs its reason; rules, verdict/contradictions)
 */
export function findContradictions(
  record: ReportRecord,
  alignment: RecordAlignment,
  policy: PolicyPublished,
): Contradiction[] {
  const { dkim, spf, disposition, reasons } = record.policyEvaluated;
  const supported = alignedOutcomes(record.authResults, alignment);
  const found: Contradiction[] = [];
  if (dkim !== supported.dkim)
    found.push(dkim === 'pass' ? 'evaluated_dkim_unsupported' : 'evaluated_dkim_understated');
  if (spf !== supported.spf) found.push(spf === 'pass' ? 'evaluated_spf_unsupported' : 'evaluated_spf_understated');
  const passed = dkim === 'pass' || spf === 'pass';
  if (passed && disposition !== 'none') found.push('disposition_on_pass');
  if (!passed && !reasons && STRENGTH[disposition] < STRENGTH[expectedDisposition(record, policy)]) {
    found.push('disposition_without_reason');
  }
  return found;
}

/**
 * The disposition that the published policy requests for a failing message: of the domain or subdomain policy, one
 * level lower in test mode.
 */
function expectedDisposition({ identifiers }: Pick<ReportRecord, 'identifiers'>, policy: PolicyPublished): Policy {
  const applies = identifiers.headerFrom === policy.domain ? policy.p : (policy.sp ?? policy.p);
  const tested = policy.testing === 'y' || (policy.pct !== null && policy.pct < 100);
  if (!tested) return applies;
  return applies === 'reject' ? 'quarantine' : 'none';
}
