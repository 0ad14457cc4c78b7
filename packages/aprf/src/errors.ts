import { CodedError } from '@dmarc-ledger/vocabulary';

export type AprfCode =
  | 'not_a_report'
  | 'source_missing'
  | 'dkim_domain_missing'
  | 'report_start_invalid'
  | 'too_many_reports'
  | 'too_many_rows';

/** A document, or one report in it, that can never be read. */
export class AprfError extends CodedError<AprfCode> {
  override readonly retryable = false;
}
