import { CodedError } from '@dmarc-ledger/vocabulary';

export class CliError extends CodedError<'usage' | 'not_found' | 'refused' | 'interrupted' | 'database_failed'> {
  override readonly retryable = false;
}
