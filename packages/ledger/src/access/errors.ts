import { CodedError } from '@dmarc-ledger/vocabulary';

type AccessCode =
  | 'organization_exists'
  | 'organization_unknown'
  | 'plan_unknown'
  | 'user_exists'
  | 'user_unknown'
  | 'key_unknown';

/** What was asked for names something that is there already, or that is not there at all. */
export class AccessError extends CodedError<AccessCode> {
  override readonly retryable = false;
}
