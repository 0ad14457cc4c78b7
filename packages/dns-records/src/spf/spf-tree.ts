import { cutText } from '@dmarc-ledger/vocabulary';
import { mechanismNames, type Qualifier } from './read-spf.ts';

/**
 * What became of a term when the tree was read.
 *
 * - `plain`: it needs no lookup.
 * - `void`: the lookup found nothing.
 * - `unanswered`: no answer counts, or the name servers have different records.
 * - `depends`: it depends on the message (a macro, `ptr`), so it is not looked up.
 * - `broken`: the name has no SPF record, several, or one that cannot be read; receivers fail with an error.
 * - `ignored`: a term after `all`, or a `redirect` beside one: receivers never come to it. (RFC 7208, 5.1 and 6.1)
 * - `unread`: beyond the limits of the tree.
 */
export const spfTermStates = [
  'plain',
  'found',
  'void',
  'unanswered',
  'depends',
  'broken',
  'loop',
  'ignored',
  'unread',
] as const;
export type SpfTermState = (typeof spfTermStates)[number];

export const spfTermNames = [...mechanismNames, 'redirect'] as const;

/** One term of an SPF record, with the terms of the record that it refers to. */
export interface SpfTerm {
  /** As published, cut. */
  text: string;
  name: (typeof spfTermNames)[number];
  qualifier: Qualifier;
  state: SpfTermState;
  /** The name that is looked up; null without a lookup. */
  target: string | null;
  /** The record at the target of an `include` or `redirect`, cut. */
  record: string | null;
  /** The networks that match, such as `192.0.2.0/24`. */
  networks: string[];
  /** True if evaluating the term counts as a lookup, and true if the lookup finds nothing. (RFC 7208, 4.6.4) */
  isLookup: boolean;
  isVoid: boolean;
  terms: SpfTerm[];
}

/** An SPF record with everything that it refers to. */
export interface SpfTree {
  domain: string;
  /** The text of the record, cut; null without exactly one. */
  record: string | null;
  terms: SpfTerm[];
  /** False if a name was not answered, or the tree is larger than what is kept: then absence proves nothing. */
  isComplete: boolean;
}

/** What is kept of a tree, whatever others publish. */
export const SPF_TREE_LIMITS = {
  terms: 1_000,
  networks: 3_000,
  /** Characters of a record, and of a term. */
  record: 2_000,
  term: 255,
  /** Lookups that are followed: more are an error to receivers. */
  lookups: 20,
} as const;

/** A term of a tree with its place: ids count the terms in the order of the tree. */
export interface PlacedTerm {
  id: number;
  /** The term whose record contains this one; null in the domain's own record. */
  parent: number | null;
  depth: number;
  term: SpfTerm;
}

/** The terms of a tree in order, each before those below it. */
export function termsOf(tree: Pick<SpfTree, 'terms'>): PlacedTerm[] {
  const placed: PlacedTerm[] = [];
  const add = (terms: readonly SpfTerm[], parent: number | null, depth: number) => {
    for (const term of terms) {
      const id = placed.length;
      placed.push({ id, parent, depth, term });
      add(term.terms, id, depth + 1);
    }
  };
  add(tree.terms, null, 0);
  return placed;
}

/** The lookups of terms and of all below them, and how many of them find nothing. */
export function costOf(terms: readonly SpfTerm[]): { lookups: number; voids: number } {
  const all = termsOf({ terms: [...terms] });
  return {
    lookups: all.filter(({ term }) => term.isLookup).length,
    voids: all.filter(({ term }) => term.isVoid).length,
  };
}

/** A term before it is looked up. */
export function newTerm(
  { name, qualifier, text, target }: Pick<SpfTerm, 'name' | 'qualifier' | 'text' | 'target'>,
  state: SpfTermState,
): SpfTerm {
  const isLookup = state !== 'plain' && state !== 'ignored';
  return {
    text: cutText(text, SPF_TREE_LIMITS.term),
    name,
    qualifier,
    state,
    target,
    record: null,
    networks: [],
    isLookup,
    isVoid: false,
    terms: [],
  };
}
