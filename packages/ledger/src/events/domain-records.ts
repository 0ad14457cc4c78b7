import type { EffectivePolicy } from '@dmarc-ledger/vocabulary';
import { findChecks, findingsOf, findReportedPolicy, publishedPolicy, type StoredCheck } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { type CheckFact, effectivePolicy } from '@dmarc-ledger/scoring';
import type { WatchedDomain } from './hold-watch.ts';

/** Returns the newest findings about a domain, and the policy that applies to it. */
export async function findRecords(
  db: Db,
  orgId: string,
  { id, now, today }: Pick<WatchedDomain, 'id' | 'now' | 'today'>,
): Promise<{ checks: Map<string, CheckFact>; policy: EffectivePolicy | undefined }> {
  const checks = await findChecks(db, orgId, id);
  const reported = await findReportedPolicy(db, orgId, id, today);
  const facts = { findings: findingsOf(checks), reportedPolicy: reported && publishedPolicy(reported) };
  return {
    checks: new Map(checks.map((check) => [check.subject, checkFact(check)])),
    policy: effectivePolicy(facts, now),
  };
}

function checkFact({
  status,
  details,
  has_record,
  records,
  policy,
  facts,
  failures,
  checked_at,
  changed_at,
}: StoredCheck): CheckFact {
  return {
    status,
    details,
    hasRecord: has_record,
    records,
    policy: policy && { ...policy, sp: policy.sp ?? undefined },
    facts,
    isAnswered: status !== 'unknown' && failures === 0,
    checkedAt: checked_at,
    changedAt: changed_at,
  };
}
