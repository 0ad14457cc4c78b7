import type { Db } from '@dmarc-ledger/schema';
import { startForgiven } from './claimant.ts';
import { claimedColumns, type ClaimedMessage, mailboxesOf, toClaimed } from './claimed-message.ts';

/**
 * Returns the organization with waiting deliveries that follows the given one, in a ring, so that no backlog delays
 * other organizations. Given a claimant, those that it passes over do not count.
 */
export async function nextWaitingOrg(db: Db, after: string | null, claimant?: number): Promise<string | null> {
  const waiting = db
    .selectFrom('raw_message')
    .select('org_id')
    .where('state', '=', 'received')
    .where('held_until', 'is', null)
    .$if(claimant !== undefined, (query) => query.where('claimed_by', 'is distinct from', claimant ?? null))
    .orderBy('org_id')
    .limit(1);
  const next = after === null ? undefined : await waiting.where('org_id', '>', after).executeTakeFirst();
  return (next ?? (await waiting.executeTakeFirst()))?.org_id ?? null;
}

/**
 * Claims the oldest waiting deliveries of an organization that have not been started; if there are none, claims a
 * single one that was started before, the least often started first. The start is counted and committed before the
 * bytes are read, so a delivery that crashes the process is identified by its count, and its neighbours in a claim are
 * soon cleared. One that is only being read when the machine is switched off waits behind the others the next time, so
 * that it is not taken for the cause.
 */
export async function claimMessages(db: Db, orgId: string, claimant: number, limit: number): Promise<ClaimedMessage[]> {
  const fresh = await claim(db, orgId, claimant, { starts: '<=', limit });
  return fresh.length > 0 ? fresh : await claim(db, orgId, claimant, { starts: '>', limit: 1 });
}

async function claim(
  db: Db,
  orgId: string,
  claimant: number,
  { starts, limit }: { starts: '<=' | '>'; limit: number },
): Promise<ClaimedMessage[]> {
  const rows = await db
    // a separate CTE, so that it runs once: inside the update it may run for every row and pick others each time
    .with('picked', (apart) =>
      apart
        .selectFrom('raw_message as m')
        .select(['m.id', mailboxesOf.as('mailboxes')])
        .where('m.org_id', '=', orgId)
        .where('m.state', '=', 'received')
        .where('m.held_until', 'is', null)
        .where('m.claimed_by', 'is distinct from', claimant) // it passes over what has its name and waits
        .where('m.attempts_started', starts, 0)
        .$if(starts === '>', (query) => query.orderBy('m.attempts_started'))
        .orderBy('m.id')
        .limit(limit)
        .forUpdate('m')
        .skipLocked(),
    )
    .updateTable('raw_message')
    .from('picked')
    .set((eb) => ({
      state: 'processing',
      claimed_by: claimant,
      attempts_started: eb('raw_message.attempts_started', '+', 1),
    }))
    .where('raw_message.org_id', '=', orgId)
    .whereRef('raw_message.id', '=', 'picked.id')
    .returning(claimedColumns.map((column) => `raw_message.${column}` as const))
    .returning('picked.mailboxes')
    .execute();
  return rows.map(toClaimed).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Changes the number of starts of a claimed delivery: subtracts its start while it waits for its turn, as it can end no
 * process then, or counts the start when the turn has come. Returns false if the claim has passed to another claimant.
 */
export async function countStart(
  db: Db,
  orgId: string,
  { id, claimedBy }: ClaimedMessage,
  change: 'subtract' | 'add',
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('raw_message')
    .set((eb) => ({ attempts_started: change === 'add' ? eb('attempts_started', '+', 1) : startForgiven }))
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('state', '=', 'processing')
    .where('claimed_by', '=', claimedBy)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Returns a delivery to the queue, unless its claim has passed to another claimant. The start remains counted, unless
 * the delivery did not cause the failure.
 */
export async function putBackMessage(
  db: Db,
  orgId: string,
  { id, claimedBy }: ClaimedMessage,
  counted: boolean,
): Promise<void> {
  await db
    .updateTable('raw_message')
    .set((eb) => ({
      state: 'received',
      claimed_by: null,
      attempts_started: counted ? eb.ref('attempts_started') : startForgiven,
    }))
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('state', '=', 'processing')
    .where('claimed_by', '=', claimedBy)
    .execute();
}
