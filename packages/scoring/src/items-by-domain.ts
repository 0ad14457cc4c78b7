import { actionItems, type ActionItem, type OpenEvent } from './action-items.ts';
import { isLocked, type LockFacts } from './locked.ts';
import { openItems, type ItemFacts } from './open-items.ts';
import type { ScoredDomain } from './score-domains.ts';

/** A domain that is monitored or has reports, with the facts that decide its open items. */
export type ItemDomain = Pick<ItemFacts, 'domain' | 'findings' | 'events'>;

/** The part of a scored domain that decides its open items. */
export type ItemScore = ScoredDomain<LockFacts & { domain: string; messages: number }>;

export interface ItemSources {
  watched: readonly ItemDomain[];
  /** Open events that concern no domain and require action. */
  orgEvents: readonly OpenEvent[];
}

/**
 * Returns the open items of each domain, most urgent first; under an empty name those of the organization itself.
 * Domains without items may be missing. (rules, action-items/order-of-items)
 */
export function itemsByDomain(
  scored: readonly ItemScore[],
  { watched, orgEvents }: ItemSources,
): ReadonlyMap<string, ActionItem[]> {
  const scores = new Map(scored.map((each) => [each.facts.domain, each]));
  return new Map([
    ...watched.map((each) => [each.domain, itemsOf(each, scores.get(each.domain))] as const),
    ['', actionItems([], orgEvents)],
  ]);
}

/** Returns the open items of a domain that has no score yet, most urgent first. */
export function itemsWithoutScore(domain: ItemDomain): ActionItem[] {
  return openItems({ ...domain, policy: undefined, messages: 0, score: 0, isLocked: false });
}

function itemsOf(watched: ItemDomain, scored: ItemScore | undefined): ActionItem[] {
  if (!scored) return itemsWithoutScore(watched);
  const { policy, messages } = scored.facts;
  const whole = Math.floor(scored.score.score);
  return openItems({ ...watched, policy, messages, score: whole, isLocked: isLocked(scored.facts) });
}
