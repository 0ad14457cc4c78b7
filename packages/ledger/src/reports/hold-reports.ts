import type { Session } from '@dmarc-ledger/schema';
import { holdReports as holdStatement } from './improve-statements.ts';

/** Nobody adds a copy, or speaks for one, until this transaction ends: each sees all that the others have done. */
export async function holdReports(session: Session, orgId: string, reportIds: readonly string[]): Promise<void> {
  await session.run(holdStatement, [orgId, [...new Set(reportIds)]]);
}
