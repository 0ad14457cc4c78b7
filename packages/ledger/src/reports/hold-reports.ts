import type { Session } from '@dmarc-ledger/schema';
import { holdReports as holdStatement } from './improve-statements.ts';

/**
 * Locks reports until this transaction ends: no other adds a copy or compares copies, and each sees what the others
 * have done.
 */
export async function holdReports(session: Session, orgId: string, reportIds: readonly string[]): Promise<void> {
  await session.run(holdStatement, [orgId, [...new Set(reportIds)]]);
}
