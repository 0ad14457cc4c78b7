import { setTimeout as sleep } from 'node:timers/promises';
import { BlobError, type BlobStore } from '@dmarc-ledger/blobs';
import {
  claimMessages,
  finishMessages,
  holdMessages,
  isDataError,
  isStorageFailure,
  nextWaitingOrg,
  putBackMessage,
  refreshStatistics,
  releaseDeadClaims,
  releaseHeld,
  transact,
  type Claimant,
  type ClaimedMessage,
} from '@dmarc-ledger/db';
import { RecordBudgetError } from '@dmarc-ledger/unpack';
import { refusedPart } from './message-story.ts';
import type { LongLane } from './long-lane.ts';
import { closeDelivery, isLong, openDelivery, type OpenedDelivery } from './open-delivery.ts';
import { isBudgeted, RECORDS_A_DAY, recordsAllowed, withinAllowance } from './record-allowance.ts';
import { routeDelivery } from './route-delivery.ts';
import type { StoreNeeds } from './store-batches.ts';
import { storeLoad } from './store-load.ts';
import { storeLong } from './store-long.ts';

export interface IntakeNeeds extends StoreNeeds {
  blobs: BlobStore;
  claimant: Claimant;
  /** Where long deliveries are stored, so that nothing waits for them. Without one each is stored in its turn. */
  lane?: LongLane;
  /** Told of what went wrong beyond what the ledger keeps. */
  onFault: (message: string, error: unknown) => void;
  /** How long an organization's turn lasts, in milliseconds; what is not begun by then waits for its next one. */
  turnMs?: number;
  /** Records that are stored in a day (UTC) for one organization of what others send it. */
  recordsADay?: number;
  /** What is stored in one transaction: so many deliveries, or so many bytes of content. */
  load?: { deliveries: number; bytes: number };
}

/** Deliveries claimed at a time, and what is stored in one transaction of them. */
const CLAIMED_AT_ONCE = 100;
const LOAD: NonNullable<IntakeNeeds['load']> = { deliveries: 50, bytes: 4 * 1024 ** 2 };
/** What has ended the process this often while being read is set aside. */
const STARTS = 3;
const STORE_PAUSE_MS = 1_000;
const TURN_MS = 20_000;

/**
 * Turns the oldest waiting deliveries of the next organization in the ring into rows. Returns that organization, or null
 * when nothing waits. May run in any number of processes, and be killed at any instruction.
 */
export async function takeIn(needs: IntakeNeeds, after: string | null): Promise<string | null> {
  const {
    database: { db },
    load: most = LOAD,
    turnMs = TURN_MS,
    recordsADay = RECORDS_A_DAY,
  } = needs;
  const orgId = await nextWaitingOrg(db, after);
  if (orgId === null) return null;
  const begun = performance.now();
  const allowed = await recordsAllowed(db, orgId, recordsADay);
  const readable = await claim(needs, orgId, allowed);
  const load: OpenedDelivery[] = [];
  let bytes = 0;
  const store = async () => {
    if (load.length > 0) await storeTogether(needs, orgId, load.splice(0));
    bytes = 0;
  };
  for (const [i, message] of readable.entries()) {
    if (i > 0 && performance.now() - begun >= turnMs) {
      await putBackUnbegun(needs, orgId, readable.slice(i));
      break;
    }
    const delivery = await opened(needs, orgId, message, allowed);
    if (!delivery) continue;
    if (isLong(delivery)) {
      await storeApart(needs, orgId, delivery, allowed);
      continue;
    }
    load.push(delivery);
    for (const document of delivery.documents) bytes += document.kind === 'whole' ? document.bytes.length : 0;
    if (load.length >= most.deliveries || bytes >= most.bytes) await store();
  }
  await store();
  return orgId;
}

/** What intake needs now and then: deliveries of ingesters that are gone back in line, and a planner that knows of its growth. */
export async function tendIntake({
  database: { db },
  claimant,
}: Pick<IntakeNeeds, 'database' | 'claimant'>): Promise<void> {
  await claimant.tellExcuses();
  await releaseDeadClaims(db);
  await releaseHeld(db);
  await refreshStatistics(db);
}

/** What is to be read now. Where it is not known what was claimed, all that is claimed in that name goes back in line. */
async function claim(needs: IntakeNeeds, orgId: string, allowed: number): Promise<ClaimedMessage[]> {
  const { database, claimant } = needs;
  try {
    const claimed = await claimMessages(database.db, orgId, await claimant.name(), CLAIMED_AT_ONCE);
    return await setAside(needs, orgId, await withinAllowance(database.db, orgId, claimed, allowed));
  } catch (error) {
    claimant.release();
    throw error;
  }
}

/** Sets aside what has ended several processes; the rest is to be read. */
async function setAside(
  { database, observer }: IntakeNeeds,
  orgId: string,
  claimed: readonly ClaimedMessage[],
): Promise<ClaimedMessage[]> {
  const poison = claimed.filter(({ attemptsStarted }) => attemptsStarted > STARTS);
  if (poison.length > 0) {
    const refusal = { code: 'quarantined', message: `Reading it was begun ${STARTS} times and never ended.` };
    const endings = poison.map(({ id, mailboxId, onlyDomains }) => ({
      id,
      state: 'quarantined' as const,
      code: refusal.code,
      parts: [refusedPart('', null, refusal)],
      mailReceivedAt: null,
      mailFacts: null,
      mailboxId,
      onlyDomains,
    }));
    await transact(database, (session) => finishMessages(session, orgId, endings));
    endings.forEach((ending, i) => observer?.finished({ ...ending, orgId, source: poison[i]!.source }));
  }
  return claimed.filter(({ attemptsStarted }) => attemptsStarted <= STARTS);
}

/** Deliveries that nobody has looked at: whoever sends what is slow to read keeps his own waiting, not others'. */
async function putBackUnbegun(
  { database: { db }, claimant, onFault }: IntakeNeeds,
  orgId: string,
  messages: readonly ClaimedMessage[],
): Promise<void> {
  try {
    for (const { id } of messages) await putBackMessage(db, orgId, id, false);
  } catch (error) {
    onFault('Deliveries that wait for their turn could not be put back.', error);
    for (const { id } of messages) claimant.excuse(orgId, id);
    claimant.release();
  }
}

async function opened(
  needs: IntakeNeeds,
  orgId: string,
  message: ClaimedMessage,
  allowed: number,
): Promise<OpenedDelivery | undefined> {
  let delivery: OpenedDelivery | undefined;
  try {
    delivery = await openDelivery(needs.blobs, message);
    if (isBudgeted(message)) delivery.budget.allowNow(allowed);
    return message.mailbox?.isShared ? await routeDelivery(needs, orgId, delivery) : delivery;
  } catch (error) {
    if (delivery) await closeDelivery(delivery);
    await putBack(needs, orgId, message, error);
    if (isStoreFault(error)) await sleep(STORE_PAUSE_MS); // the next one meets the same
    return undefined;
  }
}

/** In the lane, or here when there is none. What has to wait there is closed, and opened again in its turn. */
async function storeApart(needs: IntakeNeeds, orgId: string, delivery: OpenedDelivery, allowed: number): Promise<void> {
  const { lane } = needs;
  const store = (one: OpenedDelivery) => storeAlone(needs, orgId, one, storeLong);
  if (!lane) return await store(delivery);
  if (lane.isFree(orgId)) return lane.begin(orgId, () => store(delivery));
  await closeDelivery(delivery);
  const { message } = delivery;
  await lane.enter(orgId, {
    async work() {
      const again = await opened(needs, orgId, message, allowed);
      if (again) await store(again);
    },
    giveUp: () => putBackMessage(needs.database.db, orgId, message.id, false),
  });
}

/** One delivery by itself. A value that the database cannot hold is the fault of one report in it, which is found. */
async function storeSmall(needs: IntakeNeeds, orgId: string, delivery: OpenedDelivery): Promise<void> {
  try {
    await storeLoad(needs, orgId, [delivery]);
  } catch (error) {
    if (!isDataError(error)) throw error;
    await storeLong(needs, orgId, delivery);
  }
}

/** One transaction for all; when that fails, one for each, so that a bad one is put aside and the rest go on. */
async function storeTogether(needs: IntakeNeeds, orgId: string, load: OpenedDelivery[]): Promise<void> {
  if (load.length === 1) return await storeAlone(needs, orgId, load[0]!, storeSmall);
  try {
    await storeLoad(needs, orgId, load);
  } catch (error) {
    if (!(error instanceof RecordBudgetError))
      needs.onFault('A load could not be stored in one transaction; storing each delivery on its own.', error);
    for (const delivery of load) await storeAlone(needs, orgId, delivery, storeSmall);
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

/**
 * A fault of ours or of the moment: the delivery waits for another try, and the tries are counted, unless the fault is
 * the database's or the blob store's. One that cannot even be put back is left to whoever finds that its claimant is gone,
 * and its start is taken back once the database answers: three outages must not look like three dead processes.
 */
async function putBack(
  { database: { db }, claimant, onFault }: IntakeNeeds,
  orgId: string,
  { id }: ClaimedMessage,
  error: unknown,
): Promise<void> {
  const isHeld = error instanceof RecordBudgetError;
  if (!isHeld) onFault(`Delivery ${id} could not be taken in; it will be tried again.`, error);
  const isCounted = !isHeld && !isStorageFailure(error) && !isStoreFault(error);
  try {
    await (isHeld ? holdMessages(db, orgId, [id]) : putBackMessage(db, orgId, id, isCounted));
  } catch (fault) {
    onFault(`Delivery ${id} could not be put back.`, fault);
    if (!isCounted) claimant.excuse(orgId, id);
    claimant.release();
  }
}

/** The bytes cannot be had just now: nothing is wrong with them. */
function isStoreFault(error: unknown): boolean {
  return error instanceof BlobError && error.retryable;
}
