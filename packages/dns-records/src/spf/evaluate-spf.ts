import { present } from '@dmarc-ledger/vocabulary';
import { idsUpFrom, termsMatched } from './match-networks.ts';
import type { Qualifier } from './read-spf.ts';
import { termsOf, type PlacedTerm, type SpfTree } from './spf-tree.ts';

/** What a record says of an address: the first own term that matches it, and the result. */
export interface Evaluated {
  by: PlacedTerm;
  result: Qualifier;
}

/**
 * Prepares a tree for evaluating addresses as receivers do: the first term that matches decides, and an `include`
 * matches where its record passes. A term that depends on the message matches nothing here, and neither does `all` in
 * the record itself, which names no address. (RFC 7208, 4.6.2, 5.2 and 6.1)
 */
export function evaluateSpf(tree: Pick<SpfTree, 'terms'>): (address: string) => Evaluated | undefined {
  const placed = termsOf(tree);
  const matched = termsMatched(placed);
  return (address) => {
    const ids = [...idsUpFrom(placed, matched(address))].toSorted((a, b) => a - b); // the order of the tree
    const touched = Map.groupBy(
      ids.map((id) => present(placed[id])),
      ({ parent }) => parent,
    );
    const evaluate = (record: number | null): Evaluated | undefined => {
      for (const by of touched.get(record) ?? []) {
        const { name, qualifier } = by.term;
        if (name !== 'include' && name !== 'redirect') return { by, result: qualifier };
        const below = evaluate(by.id)?.result;
        if (name === 'redirect') return below && { by, result: below };
        if (below === '+') return { by, result: qualifier };
      }
      return undefined;
    };
    return evaluate(null);
  };
}
