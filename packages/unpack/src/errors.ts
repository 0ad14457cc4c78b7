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

/** A delivery, or a part of one, that can never be opened. */
export class UnpackError extends CodedError<UnpackCode> {
  override readonly retryable = false;
}

/** A delivery with more records than are allowed now: it may be stored later. */
export class RecordBudgetError extends CodedError<'record_budget'> {
  override readonly retryable = true;
}

/**
 * Converts a third-party reader's error about unreadable bytes; an error that has a code already, such as one of the
 * store, stays.
 */
export function unreadable(code: UnpackCode, message: string, cause: unknown): CodedError {
  return cause instanceof CodedError ? cause : new UnpackError(code, message, { cause });
}
