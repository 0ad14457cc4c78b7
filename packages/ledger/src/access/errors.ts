import { CodedError } from '@dmarc-ledger/vocabulary';

type AccessCode =
  | 'organization_exists'
  | 'organization_unknown'
  | 'plan_unknown'
  | 'user_exists'
  | 'user_unknown'
  | 'key_unknown';

/** The request names something that already exists, or that does not exist. */
export class AccessError extends CodedError<AccessCode> {
  override readonly retryable = false;
}
