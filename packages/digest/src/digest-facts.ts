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

/** What is to be done. */
export interface OpenItem {
  /** Empty if it concerns the whole organization. */
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
  /** All open items, by domain; those of a domain most urgent first. */
  items: readonly OpenItem[];
  /** The gravest first, then the newest; undefined where the reader may not see events. */
  events: { first: readonly DigestEvent[]; total: number; critical: number } | undefined;
  /** Reports about days of the period. */
  reports: number;
}
