import { CodedError } from '@dmarc-ledger/vocabulary';

/** Tables could not be partitioned. */
export class SplitError extends CodedError<'table_busy' | 'not_owner'> {
  override readonly retryable = this.code === 'table_busy';
}

export class MigrationError extends CodedError<'schema_newer' | 'migration_changed' | 'migration_failed'> {
  override readonly retryable = false;
}
