import { isDeepStrictEqual } from 'node:util';
import type { BlobStore } from '@dmarc-ledger/blobs';
import {
  type Dimensions,
  findCopiesOf,
  findStored,
  type HeldReport,
  type HeldRevision,
  holdCounted,
  markSettled,
  noteChanges,
  removeReport,
  requeueCounted,
  requeueDeliveries,
  type Settlement,
} from '@dmarc-ledger/ledger';
import { type Database, isUnstorable, type Session, transact } from '@dmarc-ledger/schema';
import { present } from '@dmarc-ledger/vocabulary';
import { chooseCopy, distinctCopies } from './choose-copy.ts';
import { findFailedRepeats } from './failed-repeats.ts';
import { keptBack } from './hold-reports.ts';
import { prepareRecount, type Recount } from './recount-copy.ts';
import { readCandidates, rereadRevision } from './settle-candidates.ts';

export interface SettleNeeds {
  database: Database;
  dimensions: Dimensions;
  blobs: BlobStore;
}

/**
 * Mail that arrives while copies are compared may change the choice: it is repeated this many times; then the sweep
 * repeats it.
 */
const ROUNDS = 5;

/**
 * Compares the copies of a report and lets one of them count, independent of the order of arrival. Running it again
 * changes nothing.
 */
export async function settleReport(needs: SettleNeeds, key: { orgId: string; reportId: string }): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) if (!(await settleOnce(needs, key))) return;
}

type KeptBack = (revision: HeldRevision) => boolean;

/** False when there was nothing left to settle. */
async function settleOnce(
  needs: SettleNeeds,
  { orgId, reportId }: { orgId: string; reportId: string },
): Promise<boolean> {
  const held = await findCopiesOf(needs.database.db, orgId, reportId);
  if (!held || held.settled) return false;
  const isKeptBack = await keptBack(needs.database.db, orgId, held.revisions);
  const distinct = distinctCopies(await readCandidates(needs, orgId, held, isKeptBack));
  const conflict = distinct.length > 1 ? `${distinct.length} different copies were received; one is counted` : null;
  const chosen = distinct.length > 0 ? chooseCopy(distinct) : undefined;
  const settled = ({ authenticated, isUnproven }: Evidence): Settlement => ({ conflict, authenticated, isUnproven });
  if (!chosen && !held.revisions.some(({ payloadSha256 }) => payloadSha256.equals(held.payloadSha256))) {
    await remove(needs, orgId, held);
    return true;
  }
  const counted = distinct.find(({ payloads }) => payloads.some((payload) => payload.equals(held.payloadSha256)));
  if (!chosen || chosen === counted) {
    await transact(needs.database, async (session) => {
      if (!(await isStillOpen(session, orgId, held, isKeptBack))) return;
      await markSettled(session, orgId, held, settled(chosen ?? countedOf(held)));
      await noteChanges(session, orgId); // coverage shows the marks
    });
    return true;
  }
  const revision = present(held.revisions.find(({ payloadSha256 }) => payloadSha256.equals(chosen.payloadSha256)));
  const reread = await rereadRevision(needs.blobs, held, revision);
  const settlements = { replaced: settled(chosen), kept: settled(counted ?? countedOf(held)) };
  // otherwise its bytes have just been deleted
  if (reread) await replace(needs, orgId, { held, revision, reread, settlements, isKeptBack });
  return true;
}

/**
 * Locks the report, and returns whether the comparison still holds: the same records count, and the copies are there
 * and held as they were. Otherwise another copy counts by now, the report was purged, or a copy was dropped, released,
 * or is held by a setting that has changed.
 */
async function isStillOpen(session: Session, orgId: string, held: HeldReport, wasKeptBack: KeptBack): Promise<boolean> {
  if (!(await holdCounted(session, orgId, held))) return false;
  const revisions = (await findCopiesOf(session.db, orgId, held.id))?.revisions ?? [];
  const isKeptBack = await keptBack(session.db, orgId, revisions);
  return held.revisions.every((before) => {
    const now = revisions.find(({ payloadSha256 }) => payloadSha256.equals(before.payloadSha256));
    return now !== undefined && isKeptBack(now) === wasKeptBack(before);
  });
}

type Evidence = Pick<Settlement, 'authenticated' | 'isUnproven'>;

function countedOf({ revisions, payloadSha256 }: HeldReport): Evidence {
  const counted = revisions.find((revision) => revision.payloadSha256.equals(payloadSha256));
  return { authenticated: counted?.authenticated ?? null, isUnproven: counted?.isUnproven ?? false };
}

/**
 * The counted copy was dropped, because it is held or its bytes no longer contain it, and no other copy can count.
 * Unless mail has arrived since they were loaded: it brought a further copy, or better evidence for one of these. The
 * deliveries that say otherwise, or repeat a copy without proof, are read again, so that each says itself why it is
 * held, and can be released.
 */
async function remove({ database }: SettleNeeds, orgId: string, held: HeldReport): Promise<void> {
  await transact(
    database,
    async (session) => {
      if (!(await holdCounted(session, orgId, held))) return;
      const now = await findCopiesOf(session.db, orgId, held.id);
      if (!now || !isDeepStrictEqual(inOrder(now), inOrder(held))) return;
      const repeats = await findRepeatsOf(session, orgId, now);
      await removeReport(session, orgId, held);
      await requeueCounted(session, orgId, now.revisions);
      if (repeats.length > 0) await requeueDeliveries(session, orgId, { messageIds: repeats, reportIds: [] });
    },
    { unlimited: true },
  );
}

async function findRepeatsOf(session: Session, orgId: string, { id, revisions }: HeldReport): Promise<string[]> {
  const [stored] = await findStored(session.db, orgId, { ids: [id] });
  return stored ? await findFailedRepeats(session, orgId, id, { revisions, reporter: stored.header.metadata }) : [];
}

function inOrder({ revisions }: HeldReport): HeldRevision[] {
  return revisions.toSorted((a, b) => Buffer.compare(a.payloadSha256, b.payloadSha256));
}

interface Replacement extends Recount {
  revision: HeldRevision;
  /** The outcome when the copy replaces the counted one, and when the counted one stays. */
  settlements: { replaced: Settlement; kept: Settlement };
  isKeptBack: KeptBack;
}

async function replace(
  { database, dimensions }: SettleNeeds,
  orgId: string,
  { held, revision, reread, settlements, isKeptBack }: Replacement,
): Promise<void> {
  const exchange = await prepareRecount(dimensions, orgId, { held, reread });
  const settle = (isReplaced: boolean) =>
    transact(
      database,
      async (session) => {
        if (!(await isStillOpen(session, orgId, held, isKeptBack))) return;
        if (isReplaced) await exchange(session, revision);
        await markSettled(session, orgId, held, isReplaced ? settlements.replaced : settlements.kept);
      },
      { unlimited: true },
    );
  try {
    await settle(true);
  } catch (error) {
    if (!isUnstorable(error)) throw error;
    await settle(false); // the database cannot hold the better copy: the counted one stays
  }
}
