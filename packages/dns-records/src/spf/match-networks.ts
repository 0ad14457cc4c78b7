import { isIPv4 } from 'node:net';
import { groupsOf, present } from '@dmarc-ledger/vocabulary';
import { termsOf, type PlacedTerm, type SpfTree } from './spf-tree.ts';

/** Returns the ids (see `termsOf`) of the terms that authorise an address, with the terms above them. */
export type TermsMatching = (address: string) => ReadonlySet<number>;

const BITS = { 4: 32n, 6: 128n } as const;

interface Prefix {
  family: 4 | 6;
  length: bigint;
  /** The ids of the terms with a network of this length, by the leading bits of the network. */
  ids: Map<bigint, number[]>;
}

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
  const matched = termsMatched(placed.filter(({ id }) => !closed.has(id)));
  return (address) => new Set(idsUpFrom(placed, matched(address)));
}

/**
 * Prepares terms for finding those that have an address in a network of their own: that costs one step for each length
 * of prefix, however many networks there are.
 */
export function termsMatched(terms: readonly PlacedTerm[]): (address: string) => number[] {
  const prefixes = new Map<string, Prefix>();
  for (const { id, term } of terms) for (const network of term.networks) addNetwork(prefixes, network, id);
  const all = [...prefixes.values()];
  return (address) => {
    const { family, bits } = bitsOf(address);
    const ofFamily = all.filter((prefix) => prefix.family === family);
    return ofFamily.flatMap(({ ids, length }) => ids.get(bits >> (BITS[family] - length)) ?? []);
  };
}

/** These ids and those of the terms above them; some may be there twice. */
export function idsUpFrom(placed: readonly PlacedTerm[], ids: readonly number[]): number[] {
  return ids.flatMap((id) => {
    const { parent } = present(placed[id]);
    return parent === null ? [id] : [id, ...idsUpFrom(placed, [parent])];
  });
}

function addNetwork(prefixes: Map<string, Prefix>, network: string, id: number): void {
  const [address = '', length = ''] = network.split('/');
  const { family, bits } = bitsOf(address);
  const key = `${family}/${length}`;
  const prefix = prefixes.get(key) ?? { family, length: BigInt(length), ids: new Map<bigint, number[]>() };
  prefixes.set(key, prefix);
  const leading = bits >> (BITS[family] - prefix.length);
  const ids = prefix.ids.get(leading);
  if (!ids) prefix.ids.set(leading, [id]);
  else if (!ids.includes(id)) ids.push(id);
}

/** An address as a number of 32 or 128 bits. */
function bitsOf(address: string): { family: 4 | 6; bits: bigint } {
  if (!isIPv4(address)) return { family: 6, bits: BigInt(`0x${groupsOf(address).join('')}`) };
  const number = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
  return { family: 4, bits: BigInt(number) };
}
