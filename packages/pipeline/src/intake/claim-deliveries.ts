import { type ClaimedMessage, claimMessages, finishMessages } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import type { IntakeNeeds } from './intake-needs.ts';
import { refusedPart } from './message-parts.ts';
import { withinAllowance } from './record-allowance.ts';

/** Deliveries claimed at a time. */
const CLAIMED_AT_ONCE = 200;
/** A delivery whose reading has ended the process this many times is quarantined. */
const STARTS = 3;

/**
 * Claims the oldest waiting deliveries of an organization and returns those to read now. When the outcome of a claim is
 * unknown, the claimant's name is given up, so that everything claimed under it waits again.
 */
export async function claimDeliveries(needs: IntakeNeeds, orgId: string, allowed: number): Promise<ClaimedMessage[]> {
  const { database, claimant } = needs;
  try {
    const claimed = await claimMessages(database.db, orgId, await claimant.name(), CLAIMED_AT_ONCE);
    return await setAside(needs, orgId, await withinAllowance(database.db, orgId, claimed, allowed));
  } catch (error) {
    claimant.release();
    throw error;
  }
}

/** Quarantines deliveries that have ended several processes, and returns the rest. */
async function setAside(
  { database, observer }: IntakeNeeds,
  orgId: string,
  claimed: readonly ClaimedMessage[],
): Promise<ClaimedMessage[]> {
  const poison = claimed.filter(({ attemptsStarted }) => attemptsStarted > STARTS);
  if (poison.length > 0) {
    const refusal = { code: 'quarantined', message: `Reading it started ${STARTS} times and never finished.` };
    const endings = poison.map(({ id, mailboxId, onlyDomains, source, isReleased, mailFacts }) => ({
      id,
      state: 'quarantined' as const,
      code: refusal.code,
      parts: [refusedPart('', null, refusal)],
      mailReceivedAt: null,
      mailFacts: null,
      mailboxId,
      onlyDomains,
      source,
      isReleased,
      factsRead: mailFacts,
    }));
    await transact(database, (session) => finishMessages(session, orgId, endings));
    for (const ending of endings) observer?.finished({ ...ending, orgId });
  }
  return claimed.filter(({ attemptsStarted }) => attemptsStarted <= STARTS);
}
