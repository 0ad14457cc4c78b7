import { CodedError } from '@dmarc-ledger/vocabulary';

/** A document that is no report on TLS. The same bytes will never be. */
export class TlsReportError extends CodedError<'not_a_report'> {
  override readonly retryable = false;
}
