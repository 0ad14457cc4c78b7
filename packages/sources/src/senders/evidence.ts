import type { Sender } from './sender.ts';

/** How far a witness is to be believed. Weak alone names nobody. (rules, senders/evidence-for-a-service) */
export type SenderStrength = 'strong' | 'medium' | 'weak';

/**
 * What points to a service, best first: the name of the host, which resolves back to it; a passing signature; a passing
 * return path; the name of the host, unchecked; its network.
 */
export type EvidenceKind = 'ptr' | 'dkim' | 'spf' | 'ptr_unchecked' | 'asn';

export const evidenceStrength: { readonly [Kind in EvidenceKind]: SenderStrength } = {
  ptr: 'strong',
  dkim: 'strong',
  spf: 'medium',
  ptr_unchecked: 'medium',
  asn: 'weak',
};

/** One thing that points to one service. */
export interface Witness {
  evidence: EvidenceKind;
  strength: SenderStrength;
  /** The service it points to. */
  slug: string;
  /** What was seen: a host name, a domain, `AS11377`. */
  seen: string;
  /** The entry of the sender data that it matched; for a network its number. */
  entry: string;
  /** Messages that it vouches for; for DKIM and SPF alone. */
  messages?: number;
}

/** A witness with the whole of the service it points to. */
export interface Finding extends Witness {
  sender: Sender;
}

/** A name that the address's PTR gives. `confirmed`: does it resolve back? Null when that could not be found out. */
export interface PtrName {
  name: string;
  confirmed: boolean | null;
}

/** Messages of one address that have the same passing identities, be they aligned or not. */
export interface MailGroup {
  messages: number;
  /** `d=` of every signature with raw result `pass`. */
  dkim: readonly string[];
  /** Domains with raw SPF result `pass`, those of HELO left out. */
  spf: readonly string[];
}

/** All that an address is recognised by. What was not looked up is absent. */
export interface SenderEvidence {
  ip: string;
  ptr?: readonly PtrName[];
  asn?: number;
  /** Every message of the address is in one group. */
  mail?: readonly MailGroup[];
}
