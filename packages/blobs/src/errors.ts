import { CodedError } from '@dmarc-ledger/vocabulary';

export type BlobCode =
  | 'blob_missing'
  | 'blob_damaged'
  | 'blob_too_large'
  | 'blob_url_unsupported'
  | 'blob_store_unreachable'
  | 'blob_store_denied';

/** A temporary fault of the store, or one that its operator can fix: the bytes themselves are unaffected. */
const OF_THE_STORE: ReadonlySet<BlobCode> = new Set(['blob_store_unreachable', 'blob_store_denied']);

export class BlobError extends CodedError<BlobCode> {
  override readonly retryable = OF_THE_STORE.has(this.code);
}
