import { CodedError } from '@dmarc-ledger/vocabulary';

export type SecretCode = 'secret_key_weak' | 'secret_key_unknown' | 'secret_damaged';

/** Never carries a secret, nor a part of one. */
export class SecretError extends CodedError<SecretCode> {
  override readonly retryable = false;
}
