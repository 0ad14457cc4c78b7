import type { SpfTerm } from '@dmarc-ledger/dns-records';

/** A term of a stored SPF tree: an include that was found, unless `more` says otherwise. */
export function spfTerm(text: string, more: Partial<SpfTerm> = {}): SpfTerm {
  return {
    text,
    name: 'include',
    qualifier: '+',
    state: 'found',
    target: null,
    record: null,
    networks: [],
    isLookup: true,
    isVoid: false,
    terms: [],
    ...more,
  };
}
