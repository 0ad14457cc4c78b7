import { type ClaimedMessage, countStart, putBackMessage } from '@dmarc-ledger/ledger';
import { isDataError } from '@dmarc-ledger/schema';
import type { IntakeNeeds } from './intake-needs.ts';
import type { LongLane } from './long-lane.ts';
import { openClaimed } from './open-claimed.ts';
import { closeDelivery, type OpenedDelivery } from './open-delivery.ts';
import { passOver } from './pass-over.ts';
import { isPutOff, putBack } from './put-back.ts';
import { recordsAllowed } from './record-allowance.ts';
import { storeLoad } from './store-load.ts';
import { storeLong } from './store-long.ts';

/**
 * Stores small deliveries in one transaction. When that fails, each is stored in a transaction of its own, so that a
 * bad one is set aside and the others continue.
 */
export async function storeTogether(needs: IntakeNeeds, orgId: string, load: OpenedDelivery[]): Promise<void> {
  const [first, ...others] = load;
  if (!first) return;
  if (others.length === 0) return await storeAlone(needs, orgId, first, storeSmall);
  try {
    await storeLoad(needs, orgId, load);
  } catch (error) {
    if (!isPutOff(error))
      needs.onFault('A load could not be stored in one transaction; storing each delivery on its own.', error);
    for (const delivery of load) await storeAlone(needs, orgId, delivery, storeSmall);
  }
}

/**
 * Stores a long delivery in the lane, or at once without a lane. A delivery that has to wait in the lane is closed, and
 * opened again in its turn; its start is counted then, so that kills while others are stored do not count against it.
 * Never waits for the lane: where it is full, the delivery stays in the queue.
 *
 * @param allowed The records that the organization could store when the delivery was opened. While that took its time,
 *   the lane may have stored another one.
 */
export async function storeApart(
  needs: IntakeNeeds,
  orgId: string,
  { delivery, allowed }: { delivery: OpenedDelivery; allowed: number },
): Promise<void> {
  const { lane } = needs;
  if (!lane) return await storeAlone(needs, orgId, delivery, storeLong);
  if (lane.isFree(orgId) && (await isAllowed(needs, orgId, allowed)) && lane.isFree(orgId))
    return beginAtOnce(needs, lane, orgId, delivery);
  await closeDelivery(delivery);
  await waitInLane(needs, lane, orgId, delivery.message);
}

/** Whether an organization may still store as many records; not where the database does not say so. */
async function isAllowed({ database: { db }, recordsADay }: IntakeNeeds, orgId: string, records: number) {
  return (await recordsAllowed(db, orgId, recordsADay).catch(() => -1)) >= records;
}

function beginAtOnce(needs: IntakeNeeds, lane: LongLane, orgId: string, delivery: OpenedDelivery): void {
  lane.begin(orgId, () => storeAlone(needs, orgId, delivery, storeLong));
}

/** Gets only the message: what waits in the lane keeps all variables of this function, and must not keep bytes. */
async function waitInLane(needs: IntakeNeeds, lane: LongLane, orgId: string, message: ClaimedMessage): Promise<void> {
  try {
    if (lane.isFull(orgId)) return await passOver(needs, lane, orgId, message);
    await countStart(needs.database.db, orgId, message, 'subtract');
  } catch (error) {
    return await putBack(needs, orgId, message, error);
  }
  await lane.enter(orgId, {
    async work() {
      const again = await openAgain(needs, orgId, message);
      if (again) await storeAlone(needs, orgId, again, storeLong);
    },
    giveUp: () => putBackMessage(needs.database.db, orgId, message, true), // no start is counted while it waits
  });
}

/** Opens a delivery in its turn: what was stored while it waited decides how much it may store. */
async function openAgain(needs: IntakeNeeds, orgId: string, message: ClaimedMessage) {
  try {
    if (!(await countStart(needs.database.db, orgId, message, 'add'))) return undefined; // another ingester has it
    const allowed = await recordsAllowed(needs.database.db, orgId, needs.recordsADay);
    return await openClaimed(needs, orgId, message, allowed);
  } catch (error) {
    await putBack(needs, orgId, message, error);
    return undefined;
  }
}

/** Stores one small delivery. When the database rejects a value in it, it is stored report by report. */
async function storeSmall(needs: IntakeNeeds, orgId: string, delivery: OpenedDelivery): Promise<void> {
  try {
    await storeLoad(needs, orgId, [delivery]);
  } catch (error) {
    if (!isDataError(error)) throw error;
    await storeLong(needs, orgId, delivery);
  }
}

async function storeAlone(
  needs: IntakeNeeds,
  orgId: string,
  delivery: OpenedDelivery,
  store: (needs: IntakeNeeds, orgId: string, delivery: OpenedDelivery) => Promise<void>,
): Promise<void> {
  try {
    await store(needs, orgId, delivery);
  } catch (error) {
    await putBack(needs, orgId, delivery.message, error);
  } finally {
    await closeDelivery(delivery);
  }
}
