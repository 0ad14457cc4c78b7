import { present } from '@dmarc-ledger/vocabulary';
import { NetworkIndex } from './network-index.ts';
import { termsOf, type PlacedTerm, type SpfTree } from './spf-tree.ts';

/** Returns the ids (see `termsOf`) of the terms that authorise an address, with the terms above them. */
export type TermsMatching = (address: string) => ReadonlySet<number>;

/**
 * Prepares a tree for looking up addresses. Only terms that give a pass count, and only below terms that give one. That
 * an earlier term may exclude an address is not considered, so a term is rather called needed than not. (rules,
 * spf/needed-terms)
 */
export function matchNetworks(tree: Pick<SpfTree, 'terms'>): TermsMatching {
  const placed = termsOf(tree);
  const closed = new Set<number>();
  for (const { id, parent, term } of placed)
    if (term.qualifier !== '+' || (parent !== null && closed.has(parent))) closed.add(id);
  const matched = termsMatched(placed, ({ id }) => !closed.has(id));
  return (address) => idsUpFrom(placed, matched(address));
}

/**
 * Prepares the terms of a tree for finding those that have an address in a network of their own. Of terms of one record
 * that say the same of the same network, only the first is found: a stranger may repeat it a thousand times.
 */
export function termsMatched(
  placed: readonly PlacedTerm[],
  isMeant: (at: PlacedTerm) => boolean = () => true,
): (address: string) => number[] {
  const index = new NetworkIndex();
  for (const at of placed.filter(isMeant))
    for (const network of at.term.networks)
      index.add(network, at.id, (by) => by === at.id || isRepeated(present(placed[by]), at));
  return (address) => index.around(address);
}

function isRepeated(first: PlacedTerm, { parent, term }: PlacedTerm): boolean {
  const { name, qualifier, state } = first.term;
  const isSame = first.parent === parent && name === term.name && qualifier === term.qualifier;
  return isSame && state === 'plain' && term.state === 'plain'; // others have a name, which may get another address
}

/** These ids and those of the terms above them. */
export function idsUpFrom(placed: readonly PlacedTerm[], ids: readonly number[]): Set<number> {
  const up = new Set<number>();
  for (const id of ids)
    for (let at: number | null = id; at !== null && !up.has(at); at = present(placed[at]).parent) up.add(at);
  return up;
}
