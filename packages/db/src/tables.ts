import type { Warning } from '@dmarc-ledger/vocabulary';
import type { ColumnType, Generated } from 'kysely';
import type {
  DkimResult,
  OverrideReason,
  PolicyPublished,
  RecordClass,
  ReportMetadata,
  SpfResult,
} from '@dmarc-ledger/dmarc';
import type { AprfEntryFacts, TlsPolicyFacts } from './write/other-facts.ts';

/** A column that the database fills when it is left out, and that is never null. */
type Defaulted<T> = Generated<T>;
/** JSON is written as text and read as the value. */
type Json<T> = ColumnType<T, string, string>;
type NullableJson<T> = ColumnType<T | null, string | null, string | null>;
/** A UTC day, read and written as `YYYY-MM-DD` (or `infinity`). */
type DayColumn = string;

export type KeyScope = 'read' | 'full' | 'ingest';
export type Role = 'owner' | 'admin' | 'analyst' | 'viewer' | 'integration';
export type MessageSource = 'file' | 'upload' | 'mailbox';
export type MessageState = 'received' | 'processing' | 'stored' | 'duplicate' | 'refused' | 'quarantined';
export type DomainSource = 'manual' | 'auto' | 'both';
/** Aggregate reports, reports on TLS, on placement, and on single failures. */
export type ReportKind = 'rua' | 'tlsrpt' | 'aprf' | 'ruf';
export type ReportResult = 'none' | 'pass' | 'fail';

/** What became of one document of a delivery. */
export interface MessagePart {
  path: string;
  /** Null where nothing could be read. */
  kind: ReportKind | null;
  sha256: string | null;
  outcome: 'stored' | 'duplicate' | 'refused';
  code: string | null;
  message: string | null;
  reports: { id: string; records: number; messages: number }[];
  warnings: string[];
}

export interface PlanTable {
  code: string;
  hourly_quota: number | null;
  api: Defaulted<boolean>;
}

export interface OrganizationTable {
  id: string;
  name: string;
  plan: Defaulted<string>;
  report_addresses: Defaulted<string[]>;
  created_at: Defaulted<Date>;
  suspended_at: Date | null;
}

export interface AppUserTable {
  org_id: string;
  id: string;
  email: string;
  role: Role;
  created_at: Defaulted<Date>;
  removed_at: Date | null;
}

export interface ApiKeyTable {
  org_id: string;
  id: string;
  prefix: string;
  secret_sha256: Buffer;
  last_four: string;
  scope: KeyScope;
  owner_id: string | null;
  name: Defaulted<string>;
  created_at: Defaulted<Date>;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_day: DayColumn | null;
}

export interface RawMessageTable {
  org_id: string;
  id: string;
  sha256: Buffer;
  size: number;
  source: MessageSource;
  name: string | null;
  received_at: Defaulted<Date>;
  mail_received_at: Date | null;
  state: Defaulted<MessageState>;
  code: string | null;
  attempts_started: Defaulted<number>;
  claimed_by: string | number | null;
  finished_at: Date | null;
  parts: NullableJson<MessagePart[]>;
}

export interface PayloadTable {
  org_id: string;
  sha256: Buffer;
  message_id: string;
  outcome: MessagePart['outcome'];
  code: string | null;
}

export interface OutboxTable {
  id: string;
  org_id: string;
  job: string;
  payload: Json<unknown>;
  created_at: Defaulted<Date>;
}

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
  created_at: Defaulted<Date>;
}

export interface ReporterTable {
  org_id: string;
  id: string;
  name: string;
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
}

export interface ReportRecordTable {
  org_id: string;
  report_id: string;
  position: number;
  day: DayColumn;
  domain_id: string;
  source_ip: string;
  source_text: string | null;
  messages: number;
  disposition: string;
  dkim_pass: boolean;
  spf_pass: boolean;
  header_from: string;
  envelope_from: string | null;
  envelope_to: string | null;
  reasons: NullableJson<OverrideReason[]>;
  dkim_results: NullableJson<DkimResult[]>;
  spf_results: NullableJson<SpfResult[]>;
  dkim_aligned: boolean[] | null;
  spf_aligned: boolean[] | null;
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
  step: 'align' | 'classify';
  since: Defaulted<Date>;
}

/** Sums of messages, and the number of reports, that every rollup keeps. */
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

interface Seen {
  first_seen: Date | null;
  last_seen: Date | null;
}

export interface SourceDomainDayTable extends Sums, ClassSums, Seen {
  org_id: string;
  source_ip: string;
  day: DayColumn;
  domain_id: string;
}

export interface SourceDomainTable extends Sums, ClassSums, Seen {
  org_id: string;
  source_ip: string;
  domain_id: string;
}

export interface SourceTotalTable extends Sums, ClassSums, Seen {
  org_id: string;
  source_ip: string;
  source_text: string | null;
  domains: number;
  auth_failures: number;
  compliance: number;
}

export interface DomainDayTable extends Sums {
  org_id: string;
  domain_id: string;
  day: DayColumn;
  forwarded: Defaulted<number>;
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
  org_id: string;
  source_ip: string;
  day: DayColumn;
  domain_id: string;
  since: Defaulted<Date>;
}

/** How a report that is in no rollup came to us. */
interface Origin {
  warnings: Json<Warning[]>;
  payload_sha256: Buffer;
  message_id: string;
  document: string;
  received_at: Date;
}

export interface TlsrptReportTable extends Origin {
  org_id: string;
  id: string;
  identity: Buffer;
  reporter_name: string | null;
  report_id: string | null;
  contact: string | null;
  date_begin: Date | null;
  date_end: Date | null;
  day: DayColumn;
  domains: string[];
  successes: number;
  failures: number;
  policies: Json<Omit<TlsPolicyFacts, 'details'>[]>;
}

export interface TlsrptFailureTable {
  org_id: string;
  report_id: string;
  position: number;
  policy: number;
  domain: string | null;
  result_type: string | null;
  sending_ip: string | null;
  receiving_ip: string | null;
  receiving_host: string | null;
  receiving_helo: string | null;
  sessions: number | null;
  reason_code: string | null;
  information: string | null;
}

export interface AprfReportTable extends Origin {
  org_id: string;
  id: string;
  identity: Buffer;
  source: string;
  dkim_domain: string;
  dkim_selector: string;
  day: DayColumn;
  version: string;
  sdi_used: string;
  extra_info: string;
  contact: string | null;
  date_begin: Date;
  date_end: Date | null;
}

export interface AprfRowTable {
  org_id: string;
  report_id: string;
  position: number;
  segment: string[];
  classification: NullableJson<AprfEntryFacts[]>;
  engagement: NullableJson<AprfEntryFacts[]>;
}

export interface FailureReportTable extends Origin {
  org_id: string;
  id: string;
  reported_domain: string | null;
  source_ip: string | null;
  arrived_at: Date | null;
  incidents: number;
  auth_failure: string | null;
  identity_alignment: string[] | null;
  delivery_result: string | null;
  dkim_domains: string[];
  dkim_selector: string | null;
  dkim_identity_domain: string | null;
  mail_from_domain: string | null;
  rcpt_to_domains: string[];
  authentication_results: string | null;
  version: string | null;
  user_agent: string | null;
  reporting_mta: string | null;
}

/** Every table that queries name, by its name in Postgres. */
export interface Tables {
  plan: PlanTable;
  organization: OrganizationTable;
  app_user: AppUserTable;
  api_key: ApiKeyTable;
  raw_message: RawMessageTable;
  payload: PayloadTable;
  outbox: OutboxTable;
  domain: DomainTable;
  reporter: ReporterTable;
  report: ReportTable;
  report_revision: ReportRevisionTable;
  report_record: ReportRecordTable;
  parse_warning: ParseWarningTable;
  unjudged_report: UnjudgedReportTable;
  source_domain_day: SourceDomainDayTable;
  source_domain: SourceDomainTable;
  source_total: SourceTotalTable;
  domain_day: DomainDayTable;
  org_day: OrgDayTable;
  domain_total: DomainTotalTable;
  org_total: OrgTotalTable;
  report_count_day: ReportCountDayTable;
  org_report_count_day: OrgReportCountDayTable;
  report_count_reporter: ReportCountReporterTable;
  rollup_dirty: RollupDirtyTable;
  tlsrpt_report: TlsrptReportTable;
  tlsrpt_failure: TlsrptFailureTable;
  aprf_report: AprfReportTable;
  aprf_row: AprfRowTable;
  failure_report: FailureReportTable;
}
