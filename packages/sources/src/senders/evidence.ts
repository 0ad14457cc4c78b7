import type { Sender } from './sender.ts';

/** The strength of evidence. Weak evidence alone identifies no sender. (rules, senders/evidence-for-a-service) */
export type SenderStrength = 'strong' | 'medium' | 'weak';

/**
 * The kinds of evidence for a service, best first: the host name, which resolves back; a passing signature; a passing
 * return path; the host name, unchecked; the network.
 */
export type EvidenceKind = 'ptr' | 'dkim' | 'spf' | 'ptr_unchecked' | 'asn';

export const evidenceStrength: { readonly [Kind in EvidenceKind]: SenderStrength } = {
  ptr: 'strong',
  dkim: 'strong',
  spf: 'medium',
  ptr_unchecked: 'medium',
  asn: 'weak',
};

/** One piece of evidence for one service. */
export interface Witness {
  evidence: EvidenceKind;
  strength: SenderStrength;
  /** The service it indicates. */
  slug: string;
  /** The observed value: a host name, a domain, `AS11377`. */
  seen: string;
  /** The entry of the sender data that it matched; for a network its number. */
  entry: string;
  /** The messages with it; DKIM and SPF only. */
  messages?: number;
}

/** A witness with the complete service it indicates. */
export interface Finding extends Witness {
  sender: Sender;
}

/** A name from the address's PTR records. `confirmed`: whether it resolves back; null if the lookup failed. */
export interface PtrName {
  name: string;
  confirmed: boolean | null;
}

/** Messages of one address with the same passing identities, aligned or not. */
export interface MailGroup {
  messages: number;
  /** `d=` of every signature with raw result `pass`. */
  dkim: readonly string[];
  /** Domains with raw SPF result `pass`, those of HELO left out. */
  spf: readonly string[];
}

/** All evidence about an address. What was not looked up is absent. */
export interface SenderEvidence {
  ip: string;
  ptr?: readonly PtrName[];
  asn?: number;
  /** Every message of the address is in one group. */
  mail?: readonly MailGroup[];
}
