import type { AlertType } from './enums/alert-types.ts';
import type { dmarcPolicies } from './enums/states.ts';

/** What a DMARC record asks receivers to do with failing mail. (RFC 9989, 4.7: `p`, `sp`, `np`) */
export type DmarcPolicy = (typeof dmarcPolicies)[number]['code'];

/** A policy as it applies to a domain. If it is inherited, `p` is the parent's policy for subdomains. */
export interface EffectivePolicy {
  p: DmarcPolicy;
  /** For subdomains; without it, or with an inherited policy, `p` applies to them. */
  sp: DmarcPolicy | undefined;
  /** The `sp` of the record, where receivers do not ask for it. */
  unusedSp?: DmarcPolicy;
  /** 0 to 100; 100 if the record does not say. */
  pct: number;
  /** True in test mode. */
  t: boolean;
}

/** The protocols of a domain's health in display order, with the names that people know them by. */
export const protocolNames = {
  dmarc: 'DMARC',
  spf: 'SPF',
  dkim: 'DKIM',
  mta_sts: 'MTA-STS',
  tls_rpt: 'TLS reporting',
  bimi: 'BIMI',
  dane: 'DANE',
  aprf: 'Placement reports',
} as const;
export type Protocol = keyof typeof protocolNames;

export const protocols: readonly Protocol[] = Object.keys(protocolNames).filter(isProtocol);

/** True for the code of a protocol. */
export function isProtocol(code: string): code is Protocol {
  return Object.hasOwn(protocolNames, code);
}

/** The outcomes of a protocol's check; `unknown` if the DNS gave no answer. */
export const checkStatuses = ['ok', 'warning', 'error', 'unknown'] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** What the DNS has at the name of a DKIM key. Stored with the check, so these values never change. */
export type DkimKeyKind = 'absent' | 'revoked' | 'unusable' | 'rsa' | 'ed25519' | 'unconfirmed';

/** A DKIM key as a check found it. */
export interface DkimKeyFact {
  domain: string;
  selector: string;
  /** True if mail needs it no more: its key may be gone. Default false. (rules, domain-checks/dkim-keys) */
  isRetired?: boolean;
  kind: DkimKeyKind;
  /** RSA keys only. */
  bits?: number;
}

/** What a check found in an SPF record that can be read with all its includes. */
export interface SpfFacts {
  /** Terms that cause a query of the DNS. (RFC 7208, 4.6.4) */
  lookups: number;
  /** Those of them that find nothing. */
  voids: number;
  /** True if the record allows any sender: it ends in `+all`, or names a network as wide or an `include` that does. */
  isPermissive: boolean;
  /**
   * Why the check warns of the record; absent without a warning. `redirected`: the record that `redirect` names is
   * open, or leaves the others unsaid; `included`: an `include` is open.
   */
  cause?: 'open' | 'wide' | 'included' | 'redirected' | 'unsaid' | 'ptr';
}

/** The severity of an event. */
export type EventSeverity = AlertType['severity'];
