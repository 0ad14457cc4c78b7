import type { DayColumn, Defaulted } from './columns.ts';
import type { ReportResult } from '@dmarc-ledger/dmarc';

/** Sums of messages, and the number of reports, in every rollup. */
interface Sums {
  reports: number;
  messages: number;
  compliant: number;
  spf_pass: number;
  dkim_pass: number;
}

interface ClassSums {
  forwarded: Defaulted<number>;
  suspicious: Defaulted<number>;
  needs_review: Defaulted<number>;
}

/** Messages whose forwarding is proved; they are inside those of `forwarded`. */
interface Proved {
  proved: Defaulted<number>;
}

interface Seen {
  first_seen: Date | null;
  last_seen: Date | null;
}

/** The columns `sort_…` of these tables are copies for those indexes. */
interface Listed {
  /** Whether it is in the indexes that long lists are read by. */
  indexed: Defaulted<boolean>;
}

export interface SourceDomainDayTable extends Sums, ClassSums, Proved, Seen {
  org_id: string;
  source_ip: string;
  day: DayColumn;
  domain_id: string;
}

export interface SourceDomainTable extends Sums, ClassSums, Proved, Seen, Listed {
  org_id: string;
  source_ip: string;
  domain_id: string;
}

export interface SourceTotalTable extends Sums, ClassSums, Seen, Listed {
  org_id: string;
  source_ip: string;
  source_text: string | null;
  domains: number;
  auth_failures: number;
  compliance: number;
  /** Its newest report day. */
  last_day: DayColumn | null;
  /** From its standing. */
  abuse_status: string | null;
  service_slug: string | null;
}

export interface SourceAddressTable {
  org_id: string;
  source_ip: string;
}

export interface DomainDayTable extends Sums, Proved {
  org_id: string;
  domain_id: string;
  day: DayColumn;
  forwarded: Defaulted<number>;
  /** Changes with every report that begins or ceases to count on the day. */
  revision: Defaulted<string>;
}

/** What became of the mail of a day; counts while the revision is that of the day. */
export interface EnforcementDayTable {
  org_id: string;
  domain_id: string;
  day: DayColumn;
  revision: string;
  sources: (string | null)[];
  /** The From domain; null for the policy domain itself. */
  names: (string | null)[];
  fates: string[];
  messages: number[];
  computed_at: Defaulted<Date>;
}

export interface OrgDayTable extends Sums {
  org_id: string;
  day: DayColumn;
  forwarded: Defaulted<number>;
}

export interface DomainTotalTable extends Sums {
  org_id: string;
  domain_id: string;
  sources: Defaulted<number>;
  failing_sources: Defaulted<number>;
}

export interface OrgTotalTable extends Sums {
  org_id: string;
  domains: Defaulted<number>;
  sources: Defaulted<number>;
  failing_sources: Defaulted<number>;
  /** Grows with every change that affects the overview. */
  changes: Defaulted<number>;
  snapshot_from: DayColumn | null;
  imported_from: DayColumn | null;
  imported_at: Date | null;
  snapshot_marks: Defaulted<number>;
  snapshots_due_at: Defaulted<Date>;
  records_on: DayColumn | null;
  records_stored: Defaulted<number>;
  /** Whether all sources of the organization are in the indexes that long lists are read by. */
  sources_indexed: Defaulted<boolean>;
}

/** Score and rates in hundredths. */
export interface ScoreSnapshotTable {
  org_id: string;
  day: DayColumn;
  score: number;
  compliance: number;
  spf: number;
  dkim: number;
  messages: number;
  computed_at: Defaulted<Date>;
}

export interface ReportCountDayTable {
  org_id: string;
  domain_id: string;
  end_day: DayColumn;
  begin_day: DayColumn;
  result: ReportResult;
  reports: number;
}

export type OrgReportCountDayTable = Omit<ReportCountDayTable, 'domain_id'>;

export interface ReportCountReporterTable {
  org_id: string;
  reporter_id: string;
  domain_id: string;
  result: ReportResult;
  reports: number;
}

export interface RollupDirtyTable {
  id: Defaulted<string>;
  org_id: string;
  source_ip: string;
  day: DayColumn;
  domain_id: string;
  since: Defaulted<Date>;
}
