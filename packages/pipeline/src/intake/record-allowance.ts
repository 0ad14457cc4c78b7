import { type ClaimedMessage, holdMessages, recordsStoredToday } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';

/** Records that a day (UTC) stores for an organization from deliveries that others sent: ten of the largest reports. */
const RECORDS_A_DAY = 10_000_000;
/**
 * Once half of them are used up, a delivery with more records than this waits for the next day. Honest mail brings a
 * few hundred: the second half is reserved for it, so that a few deliveries of a hundred thousand records each cannot
 * delay it.
 */
const OF_ONE = 2_000;

/**
 * Returns the number of records that each delivery of an organization may store now: any number, a few, or none. What
 * is stored changes the answer, so callers ask again after they have stored deliveries.
 */
export async function recordsAllowed(db: Db, orgId: string, aDay = RECORDS_A_DAY): Promise<number> {
  const stored = await recordsStoredToday(db, orgId);
  if (stored < aDay / 2) return Infinity;
  return stored < aDay ? OF_ONE : 0;
}

/** Files come from the operator of the ledger, who may import any number. */
export function isBudgeted({ source }: ClaimedMessage): boolean {
  return source !== 'file' && source !== 'import';
}

/**
 * Puts deliveries from others off until the next day when nothing more is allowed. Returns the rest, with those of
 * shared mailboxes: they are given to their organizations first, and only what their owner itself stores waits.
 */
export async function withinAllowance(
  db: Db,
  orgId: string,
  claimed: readonly ClaimedMessage[],
  allowed: number,
): Promise<ClaimedMessage[]> {
  const waits = (message: ClaimedMessage) => isBudgeted(message) && message.mailboxes?.isShared !== true;
  const held = allowed > 0 ? [] : claimed.filter(waits);
  if (held.length === 0) return [...claimed];
  await holdMessages(db, orgId, held);
  return claimed.filter((message) => !waits(message));
}
