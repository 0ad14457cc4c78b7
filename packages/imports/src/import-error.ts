import { CodedError } from '@dmarc-ledger/vocabulary';

/** A source that cannot be read at all. The message is a sentence for the person who named it. */
export class ImportError extends CodedError<
  'source_missing' | 'source_unreachable' | 'source_unknown' | 'temporary_files'
> {
  override readonly retryable = false;
}
