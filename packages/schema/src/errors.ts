import { CodedError } from '@dmarc-ledger/vocabulary';

export class MigrationError extends CodedError<'schema_newer' | 'migration_changed' | 'migration_failed'> {
  override readonly retryable = false;
}
