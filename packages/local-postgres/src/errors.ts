import { CodedError } from '@dmarc-ledger/vocabulary';

type Code =
  | 'platform_unsupported'
  | 'data_dir_unavailable'
  | 'data_dir_busy'
  | 'data_dir_claimed'
  | 'init_failed'
  | 'start_failed';

/** Why the embedded PostgreSQL cannot be used, in one sentence that says what to do. */
export class LocalPostgresError extends CodedError<Code> {
  override readonly retryable = false;
}
