import type { ActionItem, ItemSeverity, OpenEvent } from './action-items.ts';
import { isLocked, type LockFacts } from './locked.ts';
import { openItems, recordFaultOf, type ItemFacts } from './open-items.ts';
import { isEnoughToJudge } from './readiness.ts';
import {
  gradeOf,
  healthStateOf,
  HEALTHY,
  type Grade,
  type HealthState,
  type MessageSums,
  type Score,
} from './score.ts';
import { scoreDomains, scoreTogether, type ScoredDomain } from './score-domains.ts';
import { domainVerdict, orgVerdict } from './verdict.ts';

/** A domain that has reports. */
export interface OverviewDomain extends MessageSums, LockFacts {
  domain: string;
  newestDay: string;
  /** True if the newest report day is more than a week ago. */
  isStale: boolean;
  forwarded: number;
  /** Days of the scoring window with reports. */
  reportDays: number;
  /** True if the policy is that of one valid record, read from the DNS within a week. */
  hasValidRecord: boolean;
}

/** A domain that is monitored or has reports, with the facts that decide its open items. */
export type ItemDomain = Pick<ItemFacts, 'domain' | 'findings' | 'events'>;

export interface OverviewFacts<Domain extends OverviewDomain> {
  domains: readonly Domain[];
  watched: readonly ItemDomain[];
  /** Open events that concern no domain and require action. */
  orgEvents: readonly Pick<OpenEvent, 'severity'>[];
}

export interface OverviewCard<Domain extends OverviewDomain> extends ScoredDomain<Domain> {
  /** Rounded to a whole number. */
  whole: number;
  grade: Grade;
  verdict: string;
  items: readonly ActionItem[];
}

/** The overview of an organization. */
export interface Overview<Domain extends OverviewDomain> {
  score: Score & { sums: MessageSums };
  whole: number;
  grade: Grade;
  state: HealthState;
  verdict: string;
  hasData: boolean;
  forwarded: number;
  needingAttention: number;
  /** The worst score first. */
  cards: OverviewCard<Domain>[];
  /** The number of open items of all domains and of the organization itself. */
  pending: { [severity in ItemSeverity]: number };
}

const LEVEL = { critical: 'high', warning: 'medium', info: 'low' } as const;

/**
 * (rules, scores/score, scores/verdict-sentence-of-an-organization, scores/order-of-domains,
 * action-items/order-of-items)
 */
export function overview<Domain extends OverviewDomain>(facts: OverviewFacts<Domain>): Overview<Domain> {
  const watched = new Map(facts.watched.map((each) => [each.domain, each]));
  const scored = scoreDomains(facts.domains);
  const cards = scored.map((each) => toCard(each, watched.get(each.facts.domain)));
  const score = scoreTogether(scored);
  const hasData = cards.length > 0;
  const unenforced = facts.domains.filter(({ policy }) => policy === undefined || policy.p === 'none').length;
  const withReports = new Set(facts.domains.map(({ domain }) => domain));
  const others = facts.watched.filter(({ domain }) => !withReports.has(domain));
  const items = [...cards.flatMap((card) => card.items), ...others.flatMap(itemsWithoutReports)].map(
    ({ severity }) => severity,
  );
  const all = [...items, ...facts.orgEvents.map(({ severity }) => LEVEL[severity])];
  const count = (severity: ItemSeverity) => all.filter((each) => each === severity).length;
  return {
    score,
    whole: hasData ? Math.floor(score.score) : 0,
    grade: gradeOf(score.score, hasData),
    state: healthStateOf(score.score, hasData),
    verdict: orgVerdict({ score, hasData, domains: cards.length, unenforced }),
    hasData,
    forwarded: facts.domains.reduce((sum, { forwarded }) => sum + forwarded, 0),
    needingAttention: cards.filter((card) => card.score.score < HEALTHY || card.items.length > 0).length,
    cards,
    pending: { high: count('high'), medium: count('medium'), low: count('low') },
  };
}

/** Returns the open items of a domain that no report is about yet, most urgent first. */
export function itemsWithoutReports(domain: ItemDomain): ActionItem[] {
  return openItems({ ...domain, policy: undefined, messages: 0, score: 0, isLocked: false });
}

function toCard<Domain extends OverviewDomain>(
  { facts, score }: ScoredDomain<Domain>,
  watched: ItemDomain | undefined,
): OverviewCard<Domain> {
  const { domain, policy, messages, compliant, newestDay, isStale } = facts;
  const whole = Math.floor(score.score);
  const locked = isLocked(facts);
  const items = watched ? openItems({ ...watched, domain, policy, messages, score: whole, isLocked: locked }) : [];
  const verdict = domainVerdict({
    score,
    policy,
    messages,
    failing: messages - compliant,
    newestDay,
    isStale,
    isAhead: false,
    isLocked: locked,
    isReady: isEnoughToJudge(facts),
    recordFault: recordFaultOf(watched?.findings.get('dmarc')),
  });
  return { facts, score, whole, grade: gradeOf(score.score, true), verdict, items };
}
