import {
  type BroughtCopy,
  findBringers,
  findBroughtCopies,
  holdReports,
  lowerCopies,
  storedCopyText,
} from '@dmarc-ledger/ledger';
import type { Session } from '@dmarc-ledger/schema';
import { isWeaker } from '@dmarc-ledger/dmarc';
import { bestOf, isAuthenticated } from './copy-origin.ts';
import { isRebuilt } from './hold-reports.ts';
import type { OpenedDelivery } from './open-delivery.ts';

/**
 * Finds the copies that deliveries brought when they were read before and of which their mails prove less by now, and
 * locks their reports, before the transaction locks deliveries. What is no mail has never proved anything.
 */
export async function holdDoubted(
  session: Session,
  orgId: string,
  deliveries: readonly OpenedDelivery[],
): Promise<BroughtCopy[]> {
  const doubted = await findDoubted(session, orgId, deliveries);
  if (doubted.length === 0) return [];
  await holdReports(
    session,
    orgId,
    doubted.map(({ reportId }) => reportId),
  );
  return await findDoubted(session, orgId, deliveries);
}

async function findDoubted(session: Session, orgId: string, deliveries: readonly OpenedDelivery[]) {
  const again = new Map(
    deliveries
      .filter(({ message, mailFacts }) => message.isReread && mailFacts && !isRebuilt({ message }))
      .map((delivery) => [delivery.message.id, delivery]),
  );
  const brought = await findBroughtCopies(session, orgId, [...again.keys()]);
  return brought.filter(({ messageId, metadata, authenticated, isUnproven }) => {
    const delivery = again.get(messageId);
    return delivery && !isUnproven && isWeaker(isAuthenticated(delivery, metadata), authenticated);
  });
}

/**
 * Rates these copies by the best of all mails that brought them, as recorded when each was read last: to be called once
 * the deliveries have ended. A copy whose own delivery is not known any more stays as it is. (rules,
 * copies/mail-of-the-reporter)
 */
export async function reviewCopies(session: Session, orgId: string, doubted: readonly BroughtCopy[]): Promise<void> {
  if (doubted.length === 0) return;
  const copies = new Map(doubted.map((copy) => [storedCopyText(copy), copy]));
  const bringers = await findBringers(session.db, orgId, [...copies.values()]);
  const lowered = [...copies].flatMap(([key, copy]) => {
    const of = bringers.get(key) ?? [];
    const authenticated = bestOf(of, copy.metadata);
    const isLower = of.some(({ isFirst }) => isFirst) && isWeaker(authenticated, copy.authenticated);
    return isLower ? [{ ...copy, authenticated }] : [];
  });
  await lowerCopies(session, orgId, lowered);
}
