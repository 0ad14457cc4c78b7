import { CodedError } from '@dmarc-ledger/vocabulary';

export type ReportCode =
  | 'not_feedback'
  | 'xml_doctype'
  | 'xml_malformed'
  | 'xml_repair_limit'
  | 'xml_truncated'
  | 'xml_too_deep'
  | 'xml_too_large'
  | 'xml_text_too_long'
  | 'xml_too_many_attributes'
  | 'xml_encoding_unsupported'
  | 'too_many_records'
  | 'too_many_reports'
  | 'count_implausible'
  | 'parse_timeout'
  | 'parse_oom'
  | 'multiple_feedback'
  | 'header_after_records'
  | 'report_metadata_missing'
  | 'policy_published_missing'
  | 'policy_domain_missing'
  | 'domain_invalid'
  | 'date_range_iso8601';

/** A document, or one report in it, that can never be read. (rules, reading-reports/treatment-of-departures) */
export class ReportError extends CodedError<ReportCode> {
  override readonly retryable = false;
}
