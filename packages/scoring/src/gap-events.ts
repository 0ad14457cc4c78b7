import {
  fieldsOf,
  isOneOf,
  type AlertCode,
  type CheckStatus,
  type DkimKeyFact,
  type DkimKeyKind,
  type Protocol,
} from '@dmarc-ledger/vocabulary';

/** The part of a check's finding that action items need. */
export interface GapFinding {
  status: CheckStatus;
  details: string;
  hasRecord: boolean;
  /** Further facts of the check; their type depends on the protocol. */
  facts: unknown;
}

export type GapProtocol = Extract<Protocol, 'dmarc' | 'spf' | 'dkim' | 'mta_sts' | 'bimi'>;

/**
 * Returns the types of events that only repeat the gap of a finding. An event that says something else stays an item of
 * its own, though it is about the same protocol. (rules, action-items/order-of-items)
 */
export function repeatedBy(protocol: GapProtocol, finding: GapFinding): readonly AlertCode[] {
  return repeated[protocol](finding);
}

const WEAK = ['dkim_key_weak'] as const;
const unusable: readonly DkimKeyKind[] = ['absent', 'revoked', 'unusable'];
const GONE = ['dkim_key_missing', 'dkim_key_revoked'] as const;

const repeated: { readonly [protocol in GapProtocol]: (finding: GapFinding) => readonly AlertCode[] } = {
  dmarc: ({ status, facts }) => {
    if (status === 'error')
      return [
        'dmarc_record_missing',
        'dmarc_record_multiple',
        'dmarc_record_invalid',
        'dmarc_verification_lost',
        'dmarc_policy_weakened',
      ];
    const cause = fieldsOf(facts)['cause'];
    return cause === 'elsewhere' || cause === 'unreported' ? ['dmarc_verification_lost'] : ['dmarc_policy_weakened'];
  },
  spf: ({ status, facts }) => {
    if (status === 'error')
      return ['spf_record_missing', 'spf_record_invalid', 'spf_lookup_limit_exceeded', 'spf_lookup_limit_near'];
    const cause = fieldsOf(facts)['cause'];
    return cause === 'ptr' || cause === 'unsaid' ? [] : ['spf_permissive'];
  },
  dkim: ({ status, facts }) => {
    const isWeak =
      status === 'error' ? neededKeys(facts, 'rsa').length > 0 : neededKeys(facts, ...unusable).length === 0;
    return isWeak ? WEAK : GONE;
  },
  mta_sts: () => ['mta_sts_broken'],
  bimi: ({ hasRecord }) => (hasRecord ? ['bimi_broken'] : []),
};

/** The selectors of these kinds among those that the DKIM check judged: a retired one that is gone is none of them. */
export function neededKeys(facts: unknown, ...kinds: readonly DkimKeyKind[]): string[] {
  const keys = Array.isArray(facts) ? (facts as readonly DkimKeyFact[]) : []; // the column is only written from these
  const needed = keys.filter(({ isRetired = false, kind }) => !(isRetired && isOneOf(unusable, kind)));
  const judged = needed.length > 0 ? needed : keys;
  return judged.filter(({ kind }) => kinds.includes(kind)).map(({ selector }) => selector);
}
