import type { ReporterState } from '@dmarc-ledger/scoring';
import type { Day } from '@dmarc-ledger/vocabulary';
import type { ConfidenceBody } from './confidence-schema.ts';

/** How much the figures of all domains together show, and those of each. */
export interface OrgCoverageBody {
  confidence: ConfidenceBody;
  /** By domain; those without reports in the window and before it are missing. */
  confidences: ReadonlyMap<string, ConfidenceBody>;
  /** Reporters that fell silent first, then those with most messages. */
  reporters: OrgReporter[];
}

export interface OrgReporter {
  name: string;
  state: ReporterState;
  reports: number;
  messages: number;
  /** Days with a report of it. */
  reportDays: number;
  lastDay: Day;
}
