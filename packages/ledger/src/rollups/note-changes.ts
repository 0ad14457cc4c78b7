import type { Session } from '@dmarc-ledger/schema';
import { noteChange } from './class-statements.ts';

/**
 * Ends the answers that are kept while nothing changes for the organization: to be called where a transaction changes
 * something that they show and no rollup. The last lock that a transaction takes.
 */
export async function noteChanges(session: Session, orgId: string): Promise<void> {
  await session.run(noteChange, [orgId]);
}
