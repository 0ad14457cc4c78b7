import { type ClaimedMessage, holdMessages, recordsStoredToday } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';

/** Records that are stored for an organization in a day (UTC) of what others send it: ten of the largest reports. */
export const RECORDS_A_DAY = 10_000_000;
/**
 * Once half of them are used up, a delivery with more than this waits for the next day. Honest mail brings a few
 * hundred: that nobody can keep it waiting by a few that bring a hundred thousand each, the second half is left to it.
 */
const OF_ONE = 2_000;

/** How many records each delivery of an organization may bring just now: any number, a few, or none. */
export async function recordsAllowed(db: Db, orgId: string, aDay: number): Promise<number> {
  const stored = await recordsStoredToday(db, orgId);
  if (stored < aDay / 2) return Infinity;
  return stored < aDay ? OF_ONE : 0;
}

/** Files come from whoever runs the ledger: what they bring is their own matter. */
export function isBudgeted({ source }: ClaimedMessage): boolean {
  return source !== 'file';
}

/** Where nothing more is allowed, puts what others have sent off until the next day. Returns the rest. */
export async function withinAllowance(
  db: Db,
  orgId: string,
  claimed: readonly ClaimedMessage[],
  allowed: number,
): Promise<ClaimedMessage[]> {
  const held = allowed > 0 ? [] : claimed.filter(isBudgeted);
  if (held.length === 0) return [...claimed];
  await holdMessages(
    db,
    orgId,
    held.map(({ id }) => id),
  );
  return claimed.filter((message) => !isBudgeted(message));
}
