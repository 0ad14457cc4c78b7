import { fieldsOf, type EffectivePolicy } from '@dmarc-ledger/vocabulary';

/** True if receivers are asked to apply a policy to all failing mail of the domain. */
export function isFullyApplied({ pct, t }: EffectivePolicy): boolean {
  return pct === 100 && !t;
}

export interface LockFacts {
  /** Compliant messages in the scoring window. */
  compliant: number;
  policy: EffectivePolicy | undefined;
  /** The SPF records that were read last; undefined if none could be read within a week. */
  spf: readonly string[] | undefined;
}

/**
 * True for a domain that sends no mail and says so: no compliant message, a policy of reject that is fully applied, and
 * an SPF record that authorises nothing. (rules, scores/locked-domains)
 */
export function isLocked({ compliant, policy, spf }: LockFacts): boolean {
  return compliant === 0 && policy?.p === 'reject' && isFullyApplied(policy) && spf?.length === 1 && spf.every(denies);
}

/** True for a record such as `v=spf1 -all`: every mechanism up to `-all` says that the address may not send. */
function denies(record: string): boolean {
  return /^v=spf1(?: +-\S+)*? +-all(?: |$)/i.test(record);
}

const READ_GOOD_MS = 7 * 86_400_000;

/** The part of a stored SPF check that says which records were read last. */
export interface SpfFinding {
  status: string;
  records: readonly string[];
  /** Stored with the check: the records of the last check that had an answer. */
  kept: unknown;
}

/** Returns the SPF records that were read last, for a week while checks have no answer. */
export function spfRecordsOf(finding: SpfFinding | undefined, now: Date): readonly string[] | undefined {
  if (!finding) return undefined;
  if (finding.status !== 'unknown') return finding.records;
  const { records, readAt } = fieldsOf(finding.kept);
  const isRecent = typeof readAt === 'number' && now.getTime() - readAt < READ_GOOD_MS;
  return isRecent && Array.isArray(records) ? records.filter((record) => typeof record === 'string') : undefined;
}
