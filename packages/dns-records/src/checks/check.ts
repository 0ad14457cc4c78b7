import type { CheckStatus, EffectivePolicy, Protocol } from '@dmarc-ledger/vocabulary';
import type { Ask } from '../ask.ts';
import type { MtaStsPolicy } from '../records/mta-sts-policy.ts';

/** What a check found, ready to show. */
export interface Finding {
  status: CheckStatus;
  /** A sentence. */
  details: string;
  /** Something is published, be it good or bad. */
  hasRecord: boolean;
  /** The domain whose record applies, when that is another. */
  inheritedFrom?: string;
  /** What was seen, for the history. */
  records?: readonly string[];
  /** What is odd and changes nothing. */
  notes?: readonly string[];
  /** Of DMARC: the policy that applies to the domain itself. */
  policy?: EffectivePolicy;
  /** What else was found, for those who compare it with what was before. */
  facts?: SpfFacts | readonly DkimKeyFact[] | { mode: string };
  /** Of MTA-STS: for the check after this one. */
  mtaSts?: FetchedPolicy;
}

/** Of SPF: what a record comes to that can be read, with all that it refers to. */
export interface SpfFacts {
  lookups: number;
  voids: number;
  /** Anybody may send: it ends in `+all`, or names a network as wide. */
  isPermissive: boolean;
}

/** Of DKIM: the key of one pair. */
export interface DkimKeyFact extends Selector {
  kind: 'absent' | 'revoked' | 'rejected' | 'rsa' | 'ed25519' | 'unconfirmed';
  /** Of an RSA key. */
  bits?: number;
}

/** A usable MTA-STS policy. */
export interface FetchedPolicy {
  /** The id of the TXT record at that time. */
  id: string;
  /** Milliseconds since 1970. */
  fetchedAt: number;
  policy: MtaStsPolicy;
}

export interface Selector {
  domain: string;
  selector: string;
}

/** What a check may know besides what it asks. */
export interface CheckContext {
  domain: string;
  /** By the public suffix list. */
  organizationalDomain: string;
  /** The organization's own report addresses. */
  ours: readonly string[];
  /** Signatures in the domain's reports, those of most messages first. */
  selectors: readonly Selector[];
  now: Date;
  /** What the check before this one left. */
  mtaSts?: FetchedPolicy | undefined;
}

/** One protocol: what to ask, and what to make of the answers. */
export interface Check {
  protocol: Protocol;
  run(ask: Ask, context: CheckContext): Promise<Finding>;
}

export const UNREACHABLE: Finding = {
  status: 'unknown',
  details: 'DNS could not be read; the last attempt failed.',
  hasRecord: false,
};

export const missing = (details: string): Finding => ({ status: 'error', details, hasRecord: false });

/** A finding about something that is published. */
export function finding(status: CheckStatus, details: string, more: Partial<Finding> = {}): Finding {
  return { status, details, hasRecord: true, ...more };
}
