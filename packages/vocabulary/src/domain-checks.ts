import type { AlertType } from './enums/alert-types.ts';

/** What a DMARC record asks receivers to do with failing mail. (RFC 9989, 4.7: `p`, `sp`, `np`) */
export type DmarcPolicy = 'none' | 'quarantine' | 'reject';

/** A policy as it applies to a domain. Where it is inherited, `p` is what the parent says of subdomains. */
export interface EffectivePolicy {
  p: DmarcPolicy;
  /** For subdomains; without one, or with an inherited policy, they have `p`. */
  sp: DmarcPolicy | undefined;
  /** 0 to 100; 100 where the record does not say. */
  pct: number;
  /** It is only tested. */
  t: boolean;
}

/** The protocols that a domain's health is made of, in the order in which they are shown. */
export const protocols = ['dmarc', 'spf', 'dkim', 'mta_sts', 'tls_rpt', 'bimi', 'dane', 'aprf'] as const;
export type Protocol = (typeof protocols)[number];

/** How a check of one protocol ended; `unknown` where the DNS gave no answer. */
export type CheckStatus = 'ok' | 'warning' | 'error' | 'unknown';

/** How bad an event is. */
export type EventSeverity = AlertType['severity'];
