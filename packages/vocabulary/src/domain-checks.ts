import type { AlertType } from './enums/alert-types.ts';

/** What a DMARC record asks receivers to do with failing mail. (RFC 9989, 4.7: `p`, `sp`, `np`) */
export type DmarcPolicy = 'none' | 'quarantine' | 'reject';

/** A policy as it applies to a domain. If it is inherited, `p` is the parent's policy for subdomains. */
export interface EffectivePolicy {
  p: DmarcPolicy;
  /** For subdomains; without it, or with an inherited policy, `p` applies to them. */
  sp: DmarcPolicy | undefined;
  /** 0 to 100; 100 if the record does not say. */
  pct: number;
  /** True in test mode. */
  t: boolean;
}

/** The protocols of a domain's health, in display order. */
export const protocols = ['dmarc', 'spf', 'dkim', 'mta_sts', 'tls_rpt', 'bimi', 'dane', 'aprf'] as const;
export type Protocol = (typeof protocols)[number];

/** The outcome of a protocol's check; `unknown` if the DNS gave no answer. */
export type CheckStatus = 'ok' | 'warning' | 'error' | 'unknown';

/** The severity of an event. */
export type EventSeverity = AlertType['severity'];
