import { costOf, termsOf, type SpfTerm } from './spf-tree.ts';

/** What receivers accept of a record with all that it refers to. (RFC 7208, 4.6.4) */
const SPF_LIMITS = { lookups: 10, voids: 2 };

/** Why receivers end with an error for every sender. */
export type SpfFault = { kind: 'lookups' | 'voids'; count: number } | { kind: 'unusable'; term: SpfTerm };

/** The limit that a record exceeds. */
export function exceededLimit({ lookups, voids }: { lookups: number; voids: number }): 'lookups' | 'voids' | undefined {
  if (lookups > SPF_LIMITS.lookups) return 'lookups';
  return voids > SPF_LIMITS.voids ? 'voids' : undefined;
}

/** The fault of a record with these terms; undefined for one that receivers accept. (rules, spf/shortest-record) */
export function faultOf(terms: readonly SpfTerm[]): SpfFault | undefined {
  const unusable = terms.find((term) => termsOf({ terms: [term] }).some((below) => isUnusable(below.term)));
  if (unusable) return { kind: 'unusable', term: unusable };
  const cost = costOf(terms);
  const kind = exceededLimit(cost);
  return kind && { kind, count: cost[kind] };
}

/** True for a term that authorises no address: its lookup finds nothing, or receivers end with an error there. */
export function isDead(term: SpfTerm): boolean {
  return term.state === 'void' || isUnusable(term);
}

/** True for a term at which receivers end with an error. (RFC 7208, 4.6.4, 5.2 and 6.1) */
function isUnusable({ name, state }: SpfTerm): boolean {
  if (state === 'broken' || state === 'loop') return true;
  return state === 'void' && (name === 'include' || name === 'redirect');
}
