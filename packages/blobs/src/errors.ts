import { CodedError } from '@dmarc-ledger/vocabulary';

export class BlobError extends CodedError<'blob_missing' | 'blob_damaged' | 'blob_too_large' | 'blob_url_unsupported'> {
  override readonly retryable = false;
}
