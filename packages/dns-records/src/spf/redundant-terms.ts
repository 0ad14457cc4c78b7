import { NetworkIndex } from './network-index.ts';
import type { PlacedTerm, SpfTerm } from './spf-tree.ts';
import { isEnd } from './write-record.ts';

/**
 * The terms of a record without those that another one makes superfluous whatever its zone does later: a network inside
 * another network of the record, and what stands in the record of an `include` that is kept. A network that an
 * `include` has today is kept: its zone is another's, and may lose it tomorrow. A term stays where one of another
 * result stands between it and the one that has its network, or before that one in its record: that would be met
 * first. The record's own `all` or `redirect` stays as well: it says what others get. (RFC 7208, 4.6.2; rules,
 * spf/shortest-record)
 */
export function withoutRedundant(own: readonly PlacedTerm[]): PlacedTerm[] {
  const terms = own.map(({ term }) => term);
  const kept = new Set(terms.keys());
  const networks = networksOf(terms);
  const isMetFirst = firstMet(terms);
  for (const [at, term] of [...terms.entries()].toReversed()) {
    if (isEnd(term) || !isPassing(term)) continue;
    const isOther = (other: number) => other !== at && kept.has(other) && isMetFirst(other, at);
    const isCovered = isNetwork(term)
      ? term.networks.some((network) => networks.around(network).some(isOther))
      : terms.some((other, i) => isOther(i) && contains(other, term));
    if (isCovered) kept.delete(at);
  }
  return own.filter((_, i) => kept.has(i));
}

/** The networks of `ip4` and `ip6`, of equal ones the first, by the places of their terms. */
function networksOf(terms: readonly SpfTerm[]): NetworkIndex {
  const index = new NetworkIndex();
  for (const [i, term] of terms.entries())
    if (isNetwork(term) && isPassing(term)) for (const network of term.networks) index.add(network, i, () => true);
  return index;
}

/** True if nothing of another result stands between a term and a later one that would take its place. */
function firstMet(terms: readonly SpfTerm[]): (other: number, at: number) => boolean {
  let others = 0; // terms of another result, up to each place
  const upTo = terms.map(({ qualifier }) => (others += qualifier === '+' ? 0 : 1));
  return (other, at) => other < at || upTo[other] === upTo[at];
}

function isPassing({ qualifier, state }: SpfTerm): boolean {
  return qualifier === '+' && (state === 'plain' || state === 'found');
}

/** True where a term, or one that passes below it, is of the same name with the same text. */
function contains(other: SpfTerm, term: SpfTerm): boolean {
  if (term.name === 'all' || term.target === null) return false;
  return passingBelow(other).some(
    ({ name, text, target }) => name === term.name && target === term.target && isSameText(text, term.text),
  );
}

const isNetwork = ({ name }: SpfTerm) => name === 'ip4' || name === 'ip6';
const isSameText = (a: string, b: string) => a.replace(/^\+/, '').toLowerCase() === b.replace(/^\+/, '').toLowerCase();

/**
 * A term itself, and the terms below it whose pass becomes its own: none behind one of another result in the same
 * record, which an address may meet first. (RFC 7208, 4.6.2 and 5.2)
 */
function passingBelow(term: SpfTerm): SpfTerm[] {
  if (!isPassing(term)) return [];
  const other = term.terms.findIndex(({ qualifier }) => qualifier !== '+');
  const first = other < 0 ? term.terms : term.terms.slice(0, other);
  return [term, ...first.flatMap(passingBelow)];
}
