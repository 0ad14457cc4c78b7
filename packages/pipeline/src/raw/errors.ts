import { CodedError } from '@dmarc-ledger/vocabulary';

/** Why raw bytes cannot be shown. */
export class RawError extends CodedError<'raw_unknown' | 'raw_deleted' | 'raw_shared' | 'raw_changed'> {
  override readonly retryable = false;
}

export const unknown = () => new RawError('raw_unknown', 'There are no such raw bytes');
export const deleted = () =>
  new RawError('raw_deleted', 'The raw bytes were deleted, as they were older than they are kept');
export const shared = () => new RawError('raw_shared', 'It holds reports of other organizations too');
export const changed = () => new RawError('raw_changed', 'The document is no longer found in the kept bytes');
