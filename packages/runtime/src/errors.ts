import { CodedError } from '@dmarc-ledger/vocabulary';

export class RuntimeError extends CodedError<'env_invalid' | 'address_in_use'> {
  override readonly retryable = false;
}
