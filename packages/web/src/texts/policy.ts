import type { PublishedPolicy } from '@dmarc-ledger/queries';

/** A domain's policy as v1 has it, and whether a check has found that no record is published any more. */
export interface ShownPolicy {
  policy: string;
  inherited_from?: string | undefined;
  isUnpublished: boolean;
}

/** The policy of a domain in a word; the newest report may still have one that is no longer published. */
export function policyText({ policy, inherited_from, isUnpublished }: ShownPolicy): string {
  if (isUnpublished) return 'no record';
  return (policy || 'none found') + (inherited_from ? ` (of ${inherited_from})` : '');
}

/** Marks the cards of domains that publish no record. */
export function withPublished<Card extends { domain: string }>(
  cards: readonly Card[],
  published: ReadonlyMap<string, PublishedPolicy>,
): (Card & { isUnpublished: boolean })[] {
  return cards.map((card) => ({ ...card, isUnpublished: published.get(card.domain)?.isUnpublished ?? false }));
}

/** The policy of a domain that no report is about yet: what a check has read. */
export function publishedPolicy({ policy, inheritedFrom, isUnpublished }: PublishedPolicy): ShownPolicy {
  return { policy: policy ?? '', inherited_from: inheritedFrom, isUnpublished };
}
