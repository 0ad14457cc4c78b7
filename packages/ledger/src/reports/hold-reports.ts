import type { Session } from '@dmarc-ledger/schema';
import { holdReports as holdStatement } from './improve-statements.ts';

/**
 * Locks reports until this transaction ends: no other adds a copy or compares copies, and each sees what the others
 * have done. Returns those that are there.
 */
export async function holdReports(
  session: Session,
  orgId: string,
  reportIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const held = await session.run<{ id: string }>(holdStatement, [orgId, [...new Set(reportIds)]]);
  return new Set(held.map(({ id }) => id));
}
