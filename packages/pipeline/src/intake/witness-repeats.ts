import { type CopyWitness, findHeldCopies, holdReports, improveCopies } from '@dmarc-ledger/ledger';
import type { Session } from '@dmarc-ledger/schema';
import { isFromReporter, isImproved } from '@dmarc-ledger/dmarc';
import type { OpenedDelivery } from './open-delivery.ts';

/** A document whose content is known, which is not read again. */
export interface Repeat {
  delivery: OpenedDelivery;
  sha256: string;
}

/**
 * Locks the reports that repeats are about, in a transaction that then stores: before it locks sources and totals, in
 * the order that settling and purging use.
 */
export async function holdRepeated(session: Session, orgId: string, repeats: readonly Repeat[]): Promise<void> {
  const telling = tellingOf(repeats);
  if (telling.length === 0) return;
  const held = await findHeldCopies(session, orgId, contentsOf(telling));
  await holdReports(
    session,
    orgId,
    held.map(({ reportId }) => reportId),
  );
}

/** Records, for mails that brought nothing new, the sender and time of receipt with the reports they repeat. */
export async function witnessRepeats(session: Session, orgId: string, repeats: readonly Repeat[]): Promise<void> {
  const telling = tellingOf(repeats);
  if (telling.length === 0) return;
  const held = await findHeldCopies(session, orgId, contentsOf(telling));
  const witnesses = telling.flatMap(({ delivery: { mailReceivedAt, mailFacts }, sha256 }) =>
    held
      .filter(({ payloadSha256 }) => payloadSha256.toString('hex') === sha256)
      .map((copy) => {
        const authenticated = mailFacts && isFromReporter(mailFacts, copy.metadata);
        return { copy, says: { ...copy, authenticated, mailReceivedAt } satisfies CopyWitness };
      }),
  );
  await improveCopies(
    session,
    orgId,
    witnesses.filter(({ copy, says }) => isImproved(copy, says)).map(({ says }) => says),
  );
}

/** The repeats whose mail shows its sender or its time of receipt. */
function tellingOf(repeats: readonly Repeat[]): Repeat[] {
  return repeats.filter(({ delivery: { mailReceivedAt, mailFacts } }) => mailReceivedAt ?? mailFacts?.authservId);
}

function contentsOf(repeats: readonly Repeat[]): Buffer[] {
  return [...new Set(repeats.map(({ sha256 }) => sha256))].map((sha256) => Buffer.from(sha256, 'hex'));
}
