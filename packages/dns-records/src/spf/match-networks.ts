import { isIPv4 } from 'node:net';
import { groupsOf } from '@dmarc-ledger/vocabulary';
import { termsOf, type SpfTree } from './spf-tree.ts';

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
 * Prepares a tree for looking up addresses: a lookup costs one step for each length of prefix in the tree, however many
 * networks there are. Only terms that give a pass count, and only below terms that give one. That an earlier term may
 * exclude an address is not considered, so a term is rather called needed than not. (rules, spf/needed-terms)
 */
export function matchNetworks(tree: Pick<SpfTree, 'terms'>): TermsMatching {
  const prefixes = new Map<string, Prefix>();
  const parents = new Map<number, number | null>();
  const closed = new Set<number>();
  for (const { id, parent, term } of termsOf(tree)) {
    parents.set(id, parent);
    if (term.qualifier !== '+' || (parent !== null && closed.has(parent))) closed.add(id);
    else for (const network of term.networks) addNetwork(prefixes, network, id);
  }
  const all = [...prefixes.values()];
  return (address) => {
    const ids = new Set<number>();
    const { family, bits } = bitsOf(address);
    for (const prefix of all) {
      if (prefix.family !== family) continue;
      for (const id of prefix.ids.get(bits >> (BITS[family] - prefix.length)) ?? [])
        for (let at: number | null = id; at !== null; at = parents.get(at) ?? null) ids.add(at);
    }
    return ids;
  };
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
