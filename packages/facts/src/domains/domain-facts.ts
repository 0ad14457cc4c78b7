import type { EffectivePolicy } from '@dmarc-ledger/vocabulary';
import type { PolicyPublished } from '@dmarc-ledger/dmarc';
import type { DomainFacts, KeptFinding } from '@dmarc-ledger/scoring';
import type { StoredCheck } from './checks.ts';
import type { HealthFacts } from './health-facts.ts';

/** Converts the stored facts about a domain to those that scoring takes. */
export function domainFactsOf({ checks, reportedPolicy, dmarcState, ...facts }: HealthFacts): DomainFacts {
  return {
    ...facts,
    isVerified: dmarcState === 'verified' || dmarcState === 'verified_inherited',
    findings: findingsOf(checks),
    reportedPolicy: reportedPolicy && publishedPolicy(reportedPolicy),
  };
}

/** Returns the newest findings, by subject. */
export function findingsOf(checks: readonly StoredCheck[]): Map<string, KeptFinding> {
  return new Map(checks.map((check) => [check.subject, findingOf(check)]));
}

function findingOf(check: StoredCheck): KeptFinding {
  const { status, details, has_record, records, facts, kept, inherited_from, policy, policy_read_at } = check;
  return {
    status,
    details,
    hasRecord: has_record,
    records,
    facts,
    kept,
    inheritedFrom: inherited_from,
    policy: policy && { ...policy, sp: policy.sp ?? undefined },
    policyReadAt: policy_read_at,
  };
}

/** The policy that a report says the domain has published. */
export function publishedPolicy({ p, sp, pct, testing }: PolicyPublished): EffectivePolicy {
  return { p, sp: sp ?? undefined, pct: pct ?? 100, t: testing === 'y' };
}
