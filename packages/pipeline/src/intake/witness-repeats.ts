import { findHeldCopies, improveCopies, isImproved, type CopyWitness, type Session } from '@dmarc-ledger/db';
import { isFromReporter } from '@dmarc-ledger/dmarc';
import type { OpenedDelivery } from './open-delivery.ts';

/** A document whose content is known: it is not read again. */
export interface Repeat {
  delivery: OpenedDelivery;
  sha256: string;
}

/** Keeps of mails that brought nothing new what they say of the reports they repeat: from whom, and since when. */
export async function witnessRepeats(session: Session, orgId: string, repeats: readonly Repeat[]): Promise<void> {
  const telling = repeats.filter(
    ({ delivery: { mailReceivedAt, mailFacts } }) => mailReceivedAt ?? mailFacts?.authservId,
  );
  if (telling.length === 0) return;
  const contents = new Set(telling.map(({ sha256 }) => sha256));
  const held = await findHeldCopies(
    session,
    orgId,
    [...contents].map((sha256) => Buffer.from(sha256, 'hex')),
  );
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
