import { CodedError } from '@dmarc-ledger/vocabulary';

export class CliError extends CodedError<'usage' | 'not_found' | 'refused' | 'interrupted'> {
  override readonly retryable = false;
}
