import {
  addDays,
  protocols,
  type CheckStatus,
  type Day,
  type DmarcPolicy,
  type EffectivePolicy,
  type Link,
  type Protocol,
} from '@dmarc-ledger/vocabulary';
import type { ActionItem, OpenEvent } from './action-items.ts';
import { emptyState, type EmptyState } from './empty-state.ts';
import { hostedCta } from './hosted-cta.ts';
import { isLocked, spfRecordsOf } from './locked.ts';
import { openItems, recordFaultOf } from './open-items.ts';
import { policyStrength } from './policy-strength.ts';
import { isEnoughToJudge } from './readiness.ts';
import { gradeOf, scoreOf, type Grade, type MessageSums } from './score.ts';
import { domainVerdict } from './verdict.ts';

/** A stored finding. */
export interface KeptFinding {
  status: string;
  details: string;
  hasRecord: boolean;
  records: readonly string[];
  /** Further facts, and state for the next check; their types depend on the protocol. */
  facts: unknown;
  kept: unknown;
  inheritedFrom: string | null;
  /** Set for DMARC only: the policy and when it was read. A check without an answer changes neither. */
  policy: EffectivePolicy | null;
  policyReadAt: Date | null;
}

export interface DomainFacts {
  domain: string;
  isVerified: boolean;
  /** The newest report day up to today; null before the first. */
  newestDay: Day | null;
  /** True if every report is dated after today. */
  isAhead: boolean;
  /** The days of the scoring window that have reports, oldest first. */
  days: readonly { day: Day; messages: number; compliant: number }[];
  window: MessageSums;
  senders: readonly (MessageSums & { address: string })[];
  findings: ReadonlyMap<string, KeptFinding>;
  /** The policy in the newest report. */
  reportedPolicy: EffectivePolicy | undefined;
  /** The domain's open events that require action. */
  events: readonly OpenEvent[];
}

export interface ProtocolHealth {
  status: CheckStatus;
  details: string;
  inheritedFrom: string | undefined;
  hostedCta: { label: string; link: Link } | undefined;
}

/** The health of a domain, as the API serves it. */
export interface DomainHealth {
  score: number;
  grade: Grade;
  verdict: string;
  lastReportDay: Day | null;
  messages: number;
  compliance: { rate: number; spf: number; dkim: number; policy: DmarcPolicy };
  protocols: { [protocol in Protocol]: ProtocolHealth };
  senders: { address: string; messages: number; spf: 'pass' | 'fail'; dkim: 'pass' | 'fail' }[];
  /** The first open items, most urgent first. */
  items: ActionItem[];
  /** Those that follow; absent in what earlier versions stored. */
  further?: ActionItem[];
  itemCount: number;
  sparkline: { day: Day; messages: number; compliant: number }[];
  emptyState: EmptyState | undefined;
}

const NEVER: ProtocolHealth = {
  status: 'unknown',
  details: 'Not checked yet.',
  inheritedFrom: undefined,
  hostedCta: undefined,
};
const WINDOW_DAYS = 30;
const STALE_DAYS = 7;
const ITEMS = 5;
/** More than a page shows at once. */
const MOST_ITEMS = 50;
/** Those whose records make no item. What is missing of them weighs little, but what is published has to work. */
const UNLISTED = ['dane', 'tls_rpt', 'aprf'] as const satisfies readonly Protocol[];
const CHECK_GOOD_MS = 7 * 86_400_000;

/** Returns the score, checks, items and figures of a domain. (rules, action-items/health-of-a-domain) */
export function domainHealth(facts: DomainFacts, now: Date, today: Day): DomainHealth {
  const { domain, newestDay, window, days } = facts;
  const hasData = newestDay !== null;
  const policy = effectivePolicy(facts, now);
  const spf = spfRecordsOf(facts.findings.get('spf'), now);
  const locked = hasData && isLocked({ compliant: window.compliant, policy, spf });
  const score = scoreOf(window, policyStrength(policy), { isLocked: locked });
  const whole = hasData ? Math.floor(score.score) : 0;
  const isStale = newestDay !== null && newestDay < addDays(today, -STALE_DAYS);
  const hasValidRecord = readPolicy(facts, now) !== undefined;
  const health = Object.fromEntries(
    protocols.map((protocol) => [protocol, protocolHealth(protocol, facts)]),
  ) as DomainHealth['protocols'];
  const items = openItems({ ...facts, policy, messages: window.messages, score: whole, isLocked: locked });
  const statuses = [health.dmarc.status, health.spf.status, health.dkim.status];
  const { isVerified, isAhead } = facts;
  const fault = UNLISTED.map((protocol) => facts.findings.get(protocol)).find(isBroken)?.details;
  const empty = () =>
    emptyState({ domain, hasReports: hasData, isAhead, isVerified, isLocked: locked, statuses, fault, score: whole });
  return {
    score: whole,
    grade: gradeOf(whole, hasData),
    verdict: domainVerdict({
      score,
      policy,
      messages: window.messages,
      failing: window.messages - window.compliant,
      newestDay,
      isStale,
      isAhead,
      isLocked: locked,
      isReady: isEnoughToJudge({ messages: window.messages, reportDays: days.length, hasValidRecord }),
      recordFault: recordFaultOf(facts.findings.get('dmarc')),
    }),
    lastReportDay: newestDay,
    messages: window.messages,
    compliance: { rate: score.compliance, spf: score.spf, dkim: score.dkim, policy: (hasData && policy?.p) || 'none' },
    protocols: health,
    senders: facts.senders.map(({ address, messages, spfPass, dkimPass }) => ({
      address,
      messages,
      spf: 2 * spfPass > messages ? 'pass' : 'fail',
      dkim: 2 * dkimPass > messages ? 'pass' : 'fail',
    })),
    items: items.slice(0, ITEMS),
    further: items.slice(ITEMS, MOST_ITEMS),
    itemCount: items.length,
    sparkline: newestDay === null ? [] : filled(days, newestDay),
    emptyState: items.length === 0 ? empty() : undefined,
  };
}

/** The policy recently read from the DNS, else the one in the newest report. (rules, scores/effective-policy) */
export function effectivePolicy(
  facts: Pick<DomainFacts, 'findings' | 'reportedPolicy'>,
  now: Date,
): EffectivePolicy | undefined {
  return readPolicy(facts, now) ?? facts.reportedPolicy;
}

/** The policy of the one valid record that was read from the DNS within a week. */
function readPolicy({ findings }: Pick<DomainFacts, 'findings'>, now: Date): EffectivePolicy | undefined {
  const dmarc = findings.get('dmarc');
  const isFresh = dmarc?.policyReadAt && now.getTime() - dmarc.policyReadAt.getTime() < CHECK_GOOD_MS;
  return (isFresh ? dmarc.policy : null) ?? undefined;
}

function protocolHealth(protocol: Protocol, { domain, findings }: DomainFacts): ProtocolHealth {
  const finding = findings.get(protocol);
  if (!finding) return NEVER;
  const status = finding.status as CheckStatus; // the column is only written from a CheckStatus
  return {
    status,
    details: finding.details,
    inheritedFrom: finding.inheritedFrom ?? undefined,
    hostedCta: hostedCta(protocol, domain, { ...finding, status }),
  };
}

function isBroken(finding: KeptFinding | undefined): boolean {
  return finding?.status === 'error' && finding.hasRecord;
}

function filled(days: DomainFacts['days'], newestDay: Day): DomainHealth['sparkline'] {
  const known = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: WINDOW_DAYS }, (_, i) => {
    const day = addDays(newestDay, i + 1 - WINDOW_DAYS);
    const { messages = 0, compliant = 0 } = known.get(day) ?? {};
    return { day, messages, compliant };
  });
}
