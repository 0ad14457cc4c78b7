import { CodedError } from '@dmarc-ledger/vocabulary';

export class CliError extends CodedError<'usage' | 'not_found' | 'refused'> {
  override readonly retryable = false;
}
