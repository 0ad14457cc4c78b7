/** A domain's policy as v1 has it, and whether a check has found that no record is published any more. */
interface ShownPolicy {
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
  unpublished: ReadonlySet<string>,
): (Card & { isUnpublished: boolean })[] {
  return cards.map((card) => ({ ...card, isUnpublished: unpublished.has(card.domain) }));
}
