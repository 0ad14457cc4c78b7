import { CodedError } from '@dmarc-ledger/vocabulary';

/** A document that is no report of an authentication failure, and can never be read. */
export class FailureReportError extends CodedError<'not_a_report' | 'feedback_type_unsupported'> {
  override readonly retryable = false;
}
