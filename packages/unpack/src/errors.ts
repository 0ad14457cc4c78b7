import { CodedError } from '@dmarc-ledger/vocabulary';

export type UnpackCode =
  | 'message_too_large'
  | 'header_too_large'
  | 'mail_malformed'
  | 'mime_too_deep'
  | 'mime_too_many_parts'
  | 'too_many_attachments'
  | 'attachment_too_large'
  | 'archive_too_many_entries'
  | 'too_many_documents'
  | 'too_many_reports'
  | 'too_many_records'
  | 'archive_too_deep'
  | 'archive_malformed'
  | 'gzip_truncated'
  | 'inflation_ratio'
  | 'payload_too_large'
  | 'payload_placeholder'
  | 'zip_encrypted'
  | 'zip_unsupported_method'
  | 'empty_container'
  | 'unsupported_container'
  | 'not_a_report';

/** A delivery, or a part of one, that cannot be opened. The same bytes will never be. */
export class UnpackError extends CodedError<UnpackCode> {
  override readonly retryable = false;
}

/** A delivery that brings more records than it may just now: nothing is wrong with it, and later it may. */
export class RecordBudgetError extends CodedError<'record_budget'> {
  override readonly retryable = true;
}

/**
 * What a reader of others made of bytes that it cannot read; but a fault that has a code already, such as of the store,
 * is that.
 */
export function unreadable(code: UnpackCode, message: string, cause: unknown): CodedError {
  return cause instanceof CodedError ? cause : new UnpackError(code, message, { cause });
}
