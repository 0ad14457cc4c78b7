import type { ActionItem, ItemSeverity } from './action-items.ts';
import { itemsAlike, type ItemsAlike } from './items-alike.ts';
import { itemsByDomain, type ItemSources } from './items-by-domain.ts';
import { isLocked, type LockFacts } from './locked.ts';
import { recordFaultOf } from './open-items.ts';
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

/** A domain that has a score: reports of today or before. */
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

export interface OverviewFacts<Domain extends OverviewDomain> extends ItemSources {
  domains: readonly Domain[];
  /** True if there is any report, also if all are dated after today. */
  hasReports: boolean;
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
  forwarded: number;
  needingAttention: number;
  /** The worst score first. */
  cards: OverviewCard<Domain>[];
  /** The open items of all domains, and of the organization itself, put together. */
  items: ItemsAlike[];
  /** The number of these items. */
  pending: { [severity in ItemSeverity]: number };
}

/**
 * (rules, scores/score, scores/verdict-sentence-of-an-organization, scores/order-of-domains,
 * action-items/order-of-items)
 */
export function overview<Domain extends OverviewDomain>(facts: OverviewFacts<Domain>): Overview<Domain> {
  const watched = new Map(facts.watched.map((each) => [each.domain, each]));
  const scored = scoreDomains(facts.domains);
  const items = itemsByDomain(scored, facts);
  const cards = scored.map((each) => {
    const { domain } = each.facts;
    return toCard(each, items.get(domain) ?? [], recordFaultOf(watched.get(domain)?.findings.get('dmarc')));
  });
  const score = scoreTogether(scored);
  const hasScore = cards.length > 0;
  const unenforced = facts.domains.filter(({ policy }) => policy === undefined || policy.p === 'none').length;
  const all = [...items.values()].flat();
  const count = (severity: ItemSeverity) => all.filter((item) => item.severity === severity).length;
  return {
    score,
    whole: hasScore ? Math.floor(score.score) : 0,
    grade: gradeOf(score.score, hasScore),
    state: healthStateOf(score.score, hasScore),
    verdict: orgVerdict({ score, hasReports: facts.hasReports, domains: cards.length, unenforced }),
    forwarded: facts.domains.reduce((sum, { forwarded }) => sum + forwarded, 0),
    needingAttention: cards.filter((card) => card.score.score < HEALTHY || card.items.length > 0).length,
    cards,
    items: itemsAlike(items),
    pending: { high: count('high'), medium: count('medium'), low: count('low') },
  };
}

function toCard<Domain extends OverviewDomain>(
  { facts, score }: ScoredDomain<Domain>,
  items: readonly ActionItem[],
  recordFault: string | undefined,
): OverviewCard<Domain> {
  const { policy, messages, compliant, newestDay, isStale } = facts;
  const verdict = domainVerdict({
    score,
    policy,
    messages,
    failing: messages - compliant,
    newestDay,
    isStale,
    isAhead: false,
    isLocked: isLocked(facts),
    isReady: isEnoughToJudge(facts),
    recordFault,
  });
  return { facts, score, whole: Math.floor(score.score), grade: gradeOf(score.score, true), verdict, items };
}
