import { fieldsOf, type EffectivePolicy } from '@dmarc-ledger/vocabulary';
import { actionItems, dnsGaps, type ActionItem, type OpenEvent } from './action-items.ts';
import type { GapFinding } from './gap-events.ts';
import { isFullyApplied } from './locked.ts';

/** The part of a stored finding that decides items. */
export interface ItemFinding {
  status: string;
  details: string;
  hasRecord: boolean;
  /** Further facts of the check; their type depends on the subject. */
  facts: unknown;
}

/** The facts that decide the open items of a domain. */
export interface ItemFacts {
  domain: string;
  /** The checks' findings, by subject. */
  findings: ReadonlyMap<string, ItemFinding>;
  policy: EffectivePolicy | undefined;
  /** Messages in the scoring window. */
  messages: number;
  /** Rounded to a whole number. */
  score: number;
  isLocked: boolean;
  /** The domain's open events that require action. */
  events: readonly OpenEvent[];
}

/** Returns all open items of a domain, most urgent first. (rules, action-items/items-from-dns-checks) */
export function openItems({ domain, findings, policy, messages, score, isLocked, events }: ItemFacts): ActionItem[] {
  const of = (subject: string): GapFinding | undefined => {
    const finding = findings.get(subject);
    // the column is only written from a CheckStatus
    return finding && { ...finding, status: finding.status as GapFinding['status'] };
  };
  const gaps = dnsGaps({
    domain,
    findings: { dmarc: of('dmarc'), spf: of('spf'), dkim: of('dkim'), mta_sts: of('mta_sts'), bimi: of('bimi') },
    policy: policy?.p,
    isEnforced: isEnforced(policy) && findings.get('dmarc')?.status !== 'error' && isEnforcedAbove(of('bimi')),
    messages,
    score,
    isLocked,
    hasMailServers: findings.get('mx')?.hasRecord ?? false,
  });
  return actionItems(
    gaps,
    events,
    isEnforced(policy) && policy?.p === 'reject' && (policy.sp ?? policy.p) === 'reject',
  );
}

/** True if all failing mail of the domain and its subdomains is quarantined or rejected: what BIMI asks for. */
function isEnforced(policy: EffectivePolicy | undefined): boolean {
  return policy !== undefined && policy.p !== 'none' && policy.sp !== 'none' && isFullyApplied(policy);
}

/** What the BIMI check found about the organizational domain too. An older finding does not say. */
function isEnforcedAbove(bimi: GapFinding | undefined): boolean {
  const isFound = fieldsOf(bimi?.facts)['isEnforced'];
  return isFound === undefined || isFound === true;
}

/** The sentence of the DMARC check about a record that is published and cannot be used. */
export function recordFaultOf(dmarc: Omit<ItemFinding, 'facts'> | undefined): string | undefined {
  return dmarc?.status === 'error' && dmarc.hasRecord ? dmarc.details : undefined;
}
