import { migrationStatus } from '@dmarc-ledger/schema';
import { error, ok, reasonOf, type Finding } from './finding.ts';

/** Whether every migration of this version is applied. */
export async function checkSchema(url: string): Promise<Finding> {
  try {
    const { applied, pending } = await migrationStatus(url);
    if (pending.length === 0) return ok('schema', `${applied.length} migrations are applied.`);
    return error(
      'schema',
      `${pending.length} migrations are pending, from ${pending[0]}.`,
      'Run: dmarc-ledger migrate',
    );
  } catch (cause) {
    return error('schema', reasonOf(cause), 'Use the version of DMARC Ledger that migrated it last, or a newer one.');
  }
}
