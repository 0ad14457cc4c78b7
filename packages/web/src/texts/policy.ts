import type { PublishedPolicy } from '@dmarc-ledger/queries';

/** A domain's policy as v1 has it, and whether a check has found that no record, or no valid one, is published now. */
export interface ShownPolicy {
  policy: string;
  inherited_from?: string | undefined;
  isUnpublished: boolean;
  /** True if several records or a broken one stand, whatever the reports say. */
  isBroken?: boolean;
}

/** True if the policy is one that receivers apply; the newest report may still have one that is no longer published. */
export function isApplied({ isUnpublished, isBroken }: ShownPolicy): boolean {
  return !isUnpublished && isBroken !== true;
}

/** The policy of a domain in a word. */
export function policyText({ policy, inherited_from, isUnpublished, isBroken }: ShownPolicy): string {
  if (isUnpublished) return 'no record';
  if (isBroken) return 'no valid record';
  return (policy || 'none found') + (inherited_from ? ` (of ${inherited_from})` : '');
}

/** Marks the cards of domains that publish no record, or no valid one. */
export function withPublished<Card extends { domain: string }>(
  cards: readonly Card[],
  published: ReadonlyMap<string, PublishedPolicy>,
): (Card & Gaps)[] {
  return cards.map((card) => ({ ...card, ...gapsOf(published.get(card.domain)) }));
}

/** The policy of a domain that no report is about yet: what a check has read. */
export function publishedPolicy(published: PublishedPolicy): ShownPolicy {
  const { policy, inheritedFrom } = published;
  return { policy: policy?.p ?? '', inherited_from: inheritedFrom, ...gapsOf(published) };
}

type Gaps = Required<Pick<ShownPolicy, 'isUnpublished' | 'isBroken'>>;

/** Whether a check has found that no record is published, or none that is valid. */
export function gapsOf(published: PublishedPolicy | undefined): Gaps {
  return { isUnpublished: published?.isUnpublished ?? false, isBroken: published?.fault !== undefined };
}
