import type { Day } from '@dmarc-ledger/vocabulary';

export type ReportEventType = 'tls_failures' | 'forensic_report_received' | 'aprf_spam_placement';

/** A condition that a report has told of. */
export interface ToldCondition {
  type: ReportEventType;
  /** The name that it is about: a monitored one, or one below. */
  name: string;
  /** What tells it from other conditions of the domain; of those that come once a day, that day. */
  parts: readonly string[] | 'today';
  /** The day that it tells of; null: it is news whenever it comes. */
  day: Day | null;
  message?: string;
}
