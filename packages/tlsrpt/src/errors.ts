import { CodedError } from '@dmarc-ledger/vocabulary';

/** A document that is no report on TLS, and can never be read. */
export class TlsReportError extends CodedError<'not_a_report'> {
  override readonly retryable = false;
}
