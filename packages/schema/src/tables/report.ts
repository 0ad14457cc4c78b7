import type {
  DkimResult,
  OverrideReason,
  PolicyPublished,
  RecordClass,
  ReportMetadata,
  ReportResult,
  SpfResult,
} from '@dmarc-ledger/dmarc';
import type { DayColumn, Defaulted, Json, NullableJson } from './columns.ts';

export type DomainSource = 'manual' | 'auto' | 'both';

export interface DomainTable {
  org_id: string;
  id: string;
  name: string;
  monitored: Defaulted<boolean>;
  source: DomainSource;
  dmarc_state: Defaulted<string>;
  tlsrpt_enabled: Defaulted<boolean>;
  tlsrpt_state: Defaulted<string>;
  forensic_enabled: Defaulted<boolean>;
  forensic_state: Defaulted<string>;
  aprf_enabled: Defaulted<boolean>;
  aprf_state: Defaulted<string>;
  verified_at: Date | null;
  verified_source: 'self' | 'inherited' | null;
  inherited_from: string | null;
  checked_at: Date | null;
  check_failures: Defaulted<number>;
  check_due_at: Defaulted<Date>;
  check_planned: Defaulted<boolean>;
  /** When news of each kind last had the domain checked, or will have it checked. */
  selector_check_at: Date | null;
  report_check_at: Date | null;
  policy_check_at: Date | null;
  /** A check that began before this is followed by another one then. */
  check_again_at: Date | null;
  health_due_at: Defaulted<Date>;
  health_planned: Defaulted<boolean>;
  /** Set while a domain that only reports name has none: not yet, or none any more. */
  left_at: Date | null;
  created_at: Defaulted<Date>;
}

export interface ReporterTable {
  org_id: string;
  id: string;
  name: string;
  /** What its reports say instead of this name. */
  stated_name: string | null;
}

export interface ReportTable {
  org_id: string;
  id: string;
  identity: Buffer;
  domain_id: string;
  reporter_id: string;
  domain: string;
  reporter_name: string | null;
  report_id: string | null;
  date_begin: Date | null;
  date_end: Date | null;
  begin_day: DayColumn;
  end_day: DayColumn;
  day: DayColumn;
  received_at: Date;
  records: number;
  messages: number;
  compliant: number;
  spf_pass: number;
  dkim_pass: number;
  compliance: number;
  result: ReportResult;
  spf_only: number;
  dkim_only: number;
  both_failed: number;
  policy_p: string;
  metadata: Json<ReportMetadata>;
  policy: Json<PolicyPublished>;
  payload_sha256: Buffer;
  /** Grows when other records replace these, and when they are to be read again: earlier work is discarded. */
  version: Defaulted<number>;
  /** True if every mail that brought it failed as the reporter's; null as older versions left it. */
  unauthenticated: boolean | null;
  /** True if only imports brought the counted copy; null as older versions left it. */
  unproven: boolean | null;
}

export interface ReportRevisionTable {
  org_id: string;
  report_id: string;
  payload_sha256: Buffer;
  message_id: string;
  document: string;
  authenticated: boolean | null;
  mail_received_at: Date | null;
  received_at: Date;
  settled: boolean;
  /** True if only imports brought it; null as older versions left it. */
  unproven: boolean | null;
  /** When the sweep last announced that it waits. */
  announced_at: Date | null;
}

/** What a record says of its mail besides address, number and recipient, with what aligns. */
interface RecordDetailColumns {
  disposition: string;
  header_from: string;
  envelope_from: string | null;
  reasons: NullableJson<OverrideReason[]>;
  dkim_results: NullableJson<DkimResult[]>;
  spf_results: NullableJson<SpfResult[]>;
  dkim_aligned: boolean[] | null;
  spf_aligned: boolean[] | null;
}

/** The detail that records of an organization share. */
export interface RecordDetailTable extends RecordDetailColumns {
  org_id: string;
  /** The first 16 bytes of the SHA-256 of its content. */
  id: string;
  /** When a record was last stored with it, a day exactly. */
  used_at: Defaulted<Date>;
}

interface RecordColumns {
  org_id: string;
  report_id: string;
  position: number;
  day: DayColumn;
  domain_id: string;
  source_ip: string;
  source_text: string | null;
  messages: number;
  envelope_to: string | null;
  dkim_pass: boolean;
  spf_pass: boolean;
  /** True for class `likely_forwarded` where the forwarding is proved. */
  proved: Defaulted<boolean>;
}

/** A record as it is stored: with a detail of its own, or with the id of a shared one. */
export interface StoredRecordTable extends RecordColumns, Partial<RecordDetailColumns> {
  detail_id: string | null;
  /** Null for a compliant record, and for one that waits to be judged. */
  class: RecordClass | null;
}

/** The view of records with their details. */
export interface ReportRecordTable extends RecordColumns, RecordDetailColumns {
  /** Null for a record that waits to be judged. */
  class: RecordClass | null;
}

export interface ParseWarningTable {
  org_id: string;
  report_id: string;
  position: number;
  code: string;
  detail: string | null;
}

export interface UnjudgedReportTable {
  org_id: string;
  report_id: string;
  step: 'reread' | 'align' | 'classify';
  since: Defaulted<Date>;
  /** Of a report to be read again: it had been judged before. False while it waits for its judgement. */
  is_judged: Defaulted<boolean>;
}
