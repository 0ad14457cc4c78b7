import type { CheckStatus, DkimKeyFact, EffectivePolicy, Protocol, SpfFacts } from '@dmarc-ledger/vocabulary';
import type { Ask } from '../ask.ts';
import type { Selector } from '../keys/selector.ts';
import type { MtaStsPolicy } from '../records/mta-sts-policy.ts';
import { details } from './details.ts';

/** The finding of a check, ready to display. */
export interface Finding {
  status: CheckStatus;
  /** A sentence. */
  details: string;
  /** True if something is published, valid or not. */
  hasRecord: boolean;
  /** The domain whose record applies, if that is another. */
  inheritedFrom?: string;
  /** The published records, for the history. */
  records?: readonly string[];
  /** True if some of the names had no answer: what is published there is not among `records`. */
  isPartial?: boolean;
  /** Oddities without consequence. */
  notes?: readonly string[];
  /** DMARC only: the policy that applies to the domain itself. */
  policy?: EffectivePolicy;
  /** Further facts, to compare with earlier ones. */
  facts?: SpfFacts | readonly DkimKeyFact[] | { mode: string } | { absent: readonly string[] } | DmarcFacts | BimiFacts;
  /** MTA-STS only: the policy, for the next check. */
  mtaSts?: FetchedPolicy;
}

/** DMARC only: what there is to improve about a record that can be used. */
export interface DmarcFacts {
  /** Why the check warns of the record; absent without a warning. */
  cause?: 'none' | 'partly' | 'unreported' | 'subdomains' | 'elsewhere';
  /**
   * The name of the record that is missing where the record reports to us, and no host of our addresses accepts that.
   * (RFC 9990, 4)
   */
  permissionMissing?: string;
  /**
   * Whether names below follow a record above instead; only of an own record below the suffix list's organizational
   * domain. (RFC 9989, 4.10.1)
   */
  isBelow?: boolean;
}

/** BIMI only: of a domain without a record. */
interface BimiFacts {
  /** Whether the DMARC policies of the domain and of its organizational domain qualify; null: not known. */
  isEnforced: boolean | null;
}

/** A policy, and until when senders may hold it, in milliseconds since 1970. */
export interface HeldPolicy {
  policy: MtaStsPolicy;
  goodUntil: number;
}

/** A valid MTA-STS policy, as it was fetched last. */
export interface FetchedPolicy {
  /** The id of the TXT record at that time. */
  id: string;
  /** Milliseconds since 1970. */
  fetchedAt: number;
  policy: MtaStsPolicy;
  /** True if it is to be fetched again now: the last attempt failed, or everything is looked up anew. */
  isStale?: boolean;
  /** Other policies that were served with the same id, and that senders may still hold. */
  earlier?: readonly HeldPolicy[];
}

/** What a check knows besides the answers to its queries. */
export interface CheckContext {
  domain: string;
  /** By the public suffix list. */
  organizationalDomain: string;
  /** The organization's own report addresses. */
  ours: readonly string[];
  /** Signatures in the domain's reports, those with most messages first. */
  selectors: readonly Selector[];
  /** True if reports of the scoring window have messages of the domain. */
  hasMail: boolean;
  now: Date;
  /** What the previous check stored. */
  mtaSts?: FetchedPolicy | undefined;
}

/** What decides about the names of records, besides the domain. */
export interface NamedIn {
  selectors: readonly Selector[];
  /** The domain whose DMARC record applies, if that is another. */
  inheritedFrom?: string | undefined;
}

/** The check of one protocol: its queries, and the judgement of their answers. */
export interface Check {
  protocol: Protocol;
  /**
   * The names of the TXT records that the finding rests on; absent where it rests on none. What each name server
   * answers for them is kept as evidence. (rules, domain-checks/answers-of-each-server)
   */
  names?: (domain: string, on: NamedIn) => string[];
  run(ask: Ask, context: CheckContext): Promise<Finding>;
}

export const UNREACHABLE: Finding = {
  status: 'unknown',
  details: details.unreachable(),
  hasRecord: false,
  isPartial: true,
};

export const missing = (details: string): Finding => ({ status: 'error', details, hasRecord: false });

/** A finding about a published record. */
export function finding(status: CheckStatus, details: string, more: Partial<Finding> = {}): Finding {
  return { status, details, hasRecord: true, ...more };
}
