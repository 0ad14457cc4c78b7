import type { Session } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import { insertOutbox } from './announce-statement.ts';

/** Writes work into the outbox, in the transaction that makes it necessary. */
export async function announce(
  session: Session,
  orgId: string,
  work: { job: string; payload: unknown }[],
): Promise<void> {
  if (work.length > 0)
    await session.run(insertOutbox, [orgId, JSON.stringify(work.map((entry) => ({ id: newId(), ...entry })))]);
}
