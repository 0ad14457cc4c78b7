import { type CopyWitness, findHeldCopies, holdReports, improveCopies } from '@dmarc-ledger/ledger';
import type { Session } from '@dmarc-ledger/schema';
import { isFromReporter, isImproved } from '@dmarc-ledger/dmarc';
import type { OpenedDelivery } from './open-delivery.ts';

/** A document whose content is known: it is not read again. */
export interface Repeat {
  delivery: OpenedDelivery;
  sha256: string;
}

/**
 * Holds the reports that repeats speak for: in a transaction that goes on to store, before it locks sources and totals,
 * as those do that settle and purge.
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

/** Keeps of mails that brought nothing new what they say of the reports they repeat: from whom, and since when. */
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

/** Those whose mail says from whom it is, or when it came. */
function tellingOf(repeats: readonly Repeat[]): Repeat[] {
  return repeats.filter(({ delivery: { mailReceivedAt, mailFacts } }) => mailReceivedAt ?? mailFacts?.authservId);
}

function contentsOf(repeats: readonly Repeat[]): Buffer[] {
  return [...new Set(repeats.map(({ sha256 }) => sha256))].map((sha256) => Buffer.from(sha256, 'hex'));
}
