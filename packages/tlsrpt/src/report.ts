import type { Warning } from '@dmarc-ledger/vocabulary';

/** One report on TLS sessions with the servers of a domain, as read. (RFC 8460, 4.4) */
export interface TlsReport {
  reporterName: string | null;
  contact: string | null;
  reportId: string | null;
  /** Epoch seconds; null when the report does not say. */
  begin: number | null;
  end: number | null;
  policies: TlsPolicy[];
  warnings: Warning[];
}

export interface TlsPolicy {
  /** `tlsa`, `sts`, `no-policy-found`, or another word as it was sent. */
  type: string | null;
  lines: string[];
  domain: string | null;
  mxHosts: string[];
  /** Sessions; null when the report does not say. */
  successes: number | null;
  failures: number | null;
  details: TlsFailure[];
}

/** Sessions that failed for one reason, between the same servers. */
export interface TlsFailure {
  resultType: string | null;
  sendingIp: string | null;
  receivingIp: string | null;
  receivingHost: string | null;
  receivingHelo: string | null;
  sessions: number | null;
  reasonCode: string | null;
  information: string | null;
}
