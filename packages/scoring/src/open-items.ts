import { alertTypes, type EffectivePolicy } from '@dmarc-ledger/vocabulary';
import { actionItems, dnsGaps, type ActionItem, type GapFinding, type OpenEvent } from './action-items.ts';

/** The facts that decide the open items of a domain. */
export interface ItemFacts {
  domain: string;
  /** The checks' findings, by subject. */
  findings: ReadonlyMap<string, Pick<GapFinding, 'details' | 'hasRecord'> & { status: string }>;
  policy: EffectivePolicy | undefined;
  /** Messages in the scoring window. */
  messages: number;
  /** Rounded to a whole number. */
  score: number;
  /** The domain's open events of every type. */
  events: readonly OpenEvent[];
}

const actionable = new Set<string>(alertTypes.filter((type) => type.actionable).map(({ code }) => code));

/** Returns all open items of a domain, most urgent first. (rules, action-items/items-from-dns-checks) */
export function openItems({ domain, findings, policy, messages, score, events }: ItemFacts): ActionItem[] {
  const of = (subject: string): GapFinding | undefined => {
    const finding = findings.get(subject);
    // the column is only written from a CheckStatus
    return finding && { ...finding, status: finding.status as GapFinding['status'] };
  };
  const gaps = dnsGaps({
    domain,
    findings: { dmarc: of('dmarc'), spf: of('spf'), dkim: of('dkim'), mta_sts: of('mta_sts'), bimi: of('bimi') },
    policy: policy?.p,
    isEnforced: policy !== undefined && policy.p !== 'none' && policy.pct === 100 && !policy.t,
    messages,
    score,
    hasMailServers: findings.get('mx')?.hasRecord ?? false,
  });
  return actionItems(
    gaps,
    events.filter(({ type }) => actionable.has(type)),
  );
}
