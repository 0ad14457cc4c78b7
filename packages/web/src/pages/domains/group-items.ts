import type { BodyOf, getDomainHealth } from '@dmarc-ledger/api/answers';
import type { OpenFact } from '@dmarc-ledger/queries';

/** An open item of a domain. */
export type Item = NonNullable<BodyOf<typeof getDomainHealth>['action_items']>[number];

/** Items that ask for the same, and the open events that are behind them, as in a drop on each of three days. */
export interface ItemGroup {
  item: Item;
  count: number;
  facts: readonly OpenFact[];
}

/** Merges items that differ in nothing that is shown. The first of each group keeps its place. */
export function groupItems(items: readonly Item[], facts: readonly OpenFact[]): ItemGroup[] {
  const groups = Map.groupBy(items, ({ severity, title, suggested_action, cta_url }) =>
    JSON.stringify([severity, title, suggested_action, cta_url]),
  );
  return [...groups.values()].map((group) => {
    const item = group[0]!;
    const isBehind = ({ type, title }: OpenFact) => type === item.type && title === item.title;
    return { item, count: group.length, facts: facts.filter(isBehind) };
  });
}
