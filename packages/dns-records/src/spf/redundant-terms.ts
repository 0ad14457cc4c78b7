import { BlockList } from 'node:net';
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
  const kept = [...own];
  for (const at of own.toReversed()) {
    const others = kept.filter((other) => other !== at && isMetFirst(own, other, at)).map(({ term }) => term);
    if (!isEnd(at.term) && isPassing(at.term) && others.some((other) => isPassing(other) && contains(other, at.term)))
      kept.splice(kept.indexOf(at), 1);
  }
  return kept;
}

/** True if nothing of another result stands between a term and a later one that would take its place. */
function isMetFirst(own: readonly PlacedTerm[], other: PlacedTerm, at: PlacedTerm): boolean {
  const between = own.slice(own.indexOf(at) + 1, Math.max(0, own.indexOf(other)));
  return between.every(({ term: { qualifier } }) => qualifier === '+');
}

function isPassing({ qualifier, state }: SpfTerm): boolean {
  return qualifier === '+' && (state === 'plain' || state === 'found');
}

function contains(other: SpfTerm, term: SpfTerm): boolean {
  if (isNetwork(term)) return isNetwork(other) && term.networks.every((one) => isInside(one, other.networks));
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

function isInside(network: string, networks: readonly string[]): boolean {
  const [address = '', length = ''] = network.split('/');
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  return networks.some((outer) => {
    const [base = '', outerLength = ''] = outer.split('/');
    if (base.includes(':') !== address.includes(':') || Number(outerLength) > Number(length)) return false;
    const list = new BlockList();
    list.addSubnet(base, Number(outerLength), family);
    return list.check(address, family);
  });
}
