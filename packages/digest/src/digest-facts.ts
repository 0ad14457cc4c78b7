import type { Day, EventSeverity } from '@dmarc-ledger/vocabulary';

/** Messages of some days, and how many of them passed DMARC. */
export interface MailSums {
  messages: number;
  compliant: number;
}

/** One domain in the period and in the one before. */
export interface DomainFigures {
  domain: string;
  now: MailSums;
  before: MailSums;
}

/** What is to be done for a domain. */
export interface OpenItem {
  domain: string;
  type: string;
  severity: 'high' | 'medium' | 'low';
  title: string;
  action: string;
}

export interface DigestEvent {
  severity: EventSeverity;
  title: string;
  domain: string;
  at: Date;
}

/** What a digest is made of. */
export interface DigestFacts {
  organization: string;
  /** The first and the last day of the period, both included. */
  from: Day;
  to: Day;
  domains: readonly DomainFigures[];
  /** Most urgent first, of all domains of the digest. */
  items: readonly OpenItem[];
  /** The gravest first, then the newest; undefined where the reader may not see events. */
  events: { first: readonly DigestEvent[]; total: number; critical: number } | undefined;
  /** Reports received in the period. */
  reports: number;
}
