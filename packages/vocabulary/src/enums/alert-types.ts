import type { Page } from '../places.ts';
import type { DisplaySeverity, EnumEntry } from './entry.ts';

/** A page that events link to. */
export type AlertPage = Extract<
  Page,
  'domain' | 'add_domain' | 'dns_record' | 'reports' | 'sources' | 'source' | 'ingest' | 'api_keys'
>;

export interface AlertType<Code extends string = string> extends EnumEntry<Code> {
  severity: Extract<DisplaySeverity, 'info' | 'warning' | 'critical'>;
  /** Can be sent to email, a webhook or a chat channel; the others are only shown in the application. */
  deliverable: boolean;
  /** An open event of this type is an action item of its domain. */
  actionable: boolean;
  /** About one domain, or about the organization as a whole. */
  scope: 'domain' | 'organization';
  /** The page where it is resolved. */
  page: AlertPage;
}

const DOMAIN = 'domain';
const SOURCE = 'source';
const RECORD = 'dns_record';
const REPORTS = 'reports';
const INGEST = 'ingest';
const KEYS = 'api_keys';
const ADD_DOMAIN = 'add_domain';
const SOURCES = 'sources';

/** Columns: code, label, default severity, D deliverable, A actionable, O about the whole organization, page. */
const table = [
  ['first_report_received', 'First report received', 'info', 'D', REPORTS],
  ['reports_stopped', 'Reports stopped arriving', 'warning', 'DA', RECORD],
  ['reports_resumed', 'Reports resumed', 'info', '', REPORTS],
  ['report_parse_failed', 'Reports could not be read', 'warning', 'DAO', INGEST],
  ['domain_discovered', 'New domain discovered', 'info', 'D', ADD_DOMAIN],
  ['subdomain_discovered', 'New sending subdomain', 'info', '', SOURCES],
  ['verification_gained', 'Verification succeeded', 'info', 'D', RECORD],
  ['dmarc_verification_lost', 'DMARC reporting lost', 'critical', 'DA', RECORD],
  ['tlsrpt_verification_lost', 'TLS reporting lost', 'warning', 'DA', RECORD],
  ['forensic_verification_lost', 'Failure reporting lost', 'warning', 'DA', RECORD],
  ['aprf_verification_lost', 'Placement reporting lost', 'warning', 'DA', RECORD],
  ['dmarc_record_changed', 'DMARC record changed', 'info', 'D', RECORD],
  ['dmarc_record_missing', 'DMARC record removed', 'critical', 'DA', RECORD],
  ['dmarc_record_multiple', 'Several DMARC records', 'critical', 'DA', RECORD],
  ['dmarc_record_invalid', 'DMARC record broken', 'critical', 'DA', RECORD],
  ['dmarc_policy_weakened', 'DMARC policy weakened', 'critical', 'DA', RECORD],
  ['dmarc_policy_strengthened', 'DMARC policy strengthened', 'info', 'D', RECORD],
  ['policy_upgrade_ready', 'Ready for a stricter policy', 'info', 'DA', DOMAIN],
  ['spf_record_changed', 'SPF record changed', 'info', 'D', RECORD],
  ['spf_record_missing', 'SPF record removed', 'critical', 'DA', RECORD],
  ['spf_record_invalid', 'SPF record broken', 'critical', 'DA', RECORD],
  ['spf_lookup_limit_exceeded', 'SPF lookup limit exceeded', 'critical', 'DA', RECORD],
  ['spf_lookup_limit_near', 'SPF lookup limit nearly reached', 'info', 'A', RECORD],
  ['spf_permissive', 'SPF allows any server', 'critical', 'DA', RECORD],
  ['dkim_key_missing', 'DKIM key missing', 'warning', 'DA', RECORD],
  ['dkim_key_revoked', 'DKIM key revoked', 'warning', 'DA', RECORD],
  ['dkim_key_weak', 'DKIM key too short', 'warning', 'DA', RECORD],
  ['dkim_selector_new', 'New DKIM selector', 'info', '', RECORD],
  ['mx_changed', 'Mail servers changed', 'info', 'D', RECORD],
  ['mta_sts_broken', 'MTA-STS broken', 'critical', 'DA', RECORD],
  ['tls_failures', 'TLS delivery failures', 'warning', 'DA', DOMAIN],
  ['bimi_broken', 'BIMI broken', 'info', 'A', RECORD],
  ['dane_broken', 'DANE broken', 'critical', 'DA', RECORD],
  ['new_source', 'New sending source', 'info', 'D', SOURCE],
  ['new_failing_source', 'New source failing DMARC', 'warning', 'DA', SOURCE],
  ['suspicious_source', 'Suspicious source', 'warning', 'DA', SOURCE],
  ['malicious_source', 'Malicious source', 'critical', 'DA', SOURCE],
  ['source_blocklisted', 'Sending source blocklisted', 'critical', 'DA', SOURCE],
  ['source_delisted', 'Sending source delisted', 'info', '', SOURCE],
  ['compliance_drop', 'Compliance dropped', 'warning', 'DA', SOURCES],
  ['failure_spike', 'Failures spiked', 'warning', 'DA', SOURCES],
  ['spoofing_campaign', 'Possible spoofing campaign', 'critical', 'DA', SOURCES],
  ['volume_spike', 'Volume spiked', 'info', 'D', DOMAIN],
  ['volume_drop', 'Volume dropped', 'info', 'D', DOMAIN],
  ['alignment_drop', 'SPF or DKIM alignment dropped', 'warning', 'DA', SOURCES],
  ['forensic_report_received', 'Failure report received', 'info', '', DOMAIN],
  ['aprf_spam_placement', 'Mail placed in spam', 'warning', 'DA', DOMAIN],
  ['quota_near_limit', 'API quota nearly used', 'warning', 'DO', KEYS],
  ['api_key_expiring', 'API key expires soon', 'warning', 'DO', KEYS],
] as const;

export type AlertCode = (typeof table)[number][0];

export const alertTypes: AlertType<AlertCode>[] = table.map(([code, label, severity, flags, page]) => ({
  code,
  label,
  severity,
  deliverable: flags.includes('D'),
  actionable: flags.includes('A'),
  scope: flags.includes('O') ? 'organization' : 'domain',
  page,
}));
