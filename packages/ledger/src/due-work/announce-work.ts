import type { JobName, Payload } from '@dmarc-ledger/queues';
import type { Session } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import { insertOutbox } from './announce-statement.ts';

/** A job that is to be done, with what its handler takes. */
export type Work = { [Name in JobName]: { job: Name; payload: Payload<Name> } }[JobName];

/** Writes work into the outbox, in the transaction that makes it necessary. */
export async function announce(session: Session, orgId: string, work: readonly Work[]): Promise<void> {
  if (work.length > 0)
    await session.run(insertOutbox, [orgId, JSON.stringify(work.map((entry) => ({ id: newId(), ...entry })))]);
}
