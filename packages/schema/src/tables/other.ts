import type { Warning } from '@dmarc-ledger/vocabulary';
import type { DayColumn, Json, NullableJson } from './columns.ts';
import type { AprfEntryFacts, TlsPolicyFacts } from './other-facts.ts';

/** The origin of a report that is in no rollup. */
interface Origin {
  warnings: Json<Warning[]>;
  payload_sha256: Buffer;
  message_id: string;
  document: string;
  received_at: Date;
  /** Whether its mail passed as the reporter; null where it did not come by mail or nothing was recorded. */
  authenticated: boolean | null;
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
