import { CodedError } from '@dmarc-ledger/vocabulary';

type AccessCode =
  | 'organization_exists'
  | 'organization_unknown'
  | 'plan_unknown'
  | 'user_exists'
  | 'user_unknown'
  | 'last_owner'
  | 'not_allowed'
  | 'key_exists'
  | 'key_unknown'
  | 'form_repeated'
  | 'too_many';

/** The request names something that already exists, or that does not exist, or asks for what its sender may not do. */
export class AccessError extends CodedError<AccessCode> {
  override readonly retryable = false;
}
