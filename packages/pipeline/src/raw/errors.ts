import { CodedError } from '@dmarc-ledger/vocabulary';

/** Why raw bytes cannot be shown. */
export class RawError extends CodedError<'raw_unknown' | 'raw_deleted' | 'raw_shared' | 'raw_changed'> {
  override readonly retryable = false;
}

export const unknown = () => new RawError('raw_unknown', 'These raw bytes do not exist');
export const deleted = () => new RawError('raw_deleted', 'The raw bytes were deleted by age');
export const shared = () => new RawError('raw_shared', 'The delivery also has reports of other organizations');
export const changed = () => new RawError('raw_changed', 'The document was not found in the raw bytes');
