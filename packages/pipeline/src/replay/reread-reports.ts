import { isDeepStrictEqual } from 'node:util';
import type { BlobStore } from '@dmarc-ledger/blobs';
import {
  type Dimensions,
  dropCopy,
  endUnchanged,
  findCopiesOf,
  findStored,
  findUnjudged,
  holdCounted,
  judgeAgain,
  putWarnings,
  reopenSnapshots,
  requeueCounted,
  requeueDeliveries,
  type StoredReport,
  warningsBeside,
} from '@dmarc-ledger/ledger';
import { isUnstorable, type Session, transact } from '@dmarc-ledger/schema';
import { present } from '@dmarc-ledger/vocabulary';
import { throwIfEnding } from '../interruption.ts';
import { findFailedRepeats } from '../intake/failed-repeats.ts';
import { isThere } from '../intake/missing-bytes.ts';
import { keptBack } from '../intake/hold-reports.ts';
import { prepareRecount, type Recount } from '../intake/recount-copy.ts';
import { isRefusal } from '../intake/read-documents.ts';
import { rereadCopy, type Reread } from '../intake/reread-copy.ts';
import { compareReport } from './compare-report.ts';
import type { JudgeNeeds } from './judge-records.ts';

export interface RereadNeeds extends JudgeNeeds {
  dimensions: Dimensions;
  blobs: BlobStore;
  /** Aborted when the worker is about to end. */
  ending?: AbortSignal;
}

/**
 * Reads the counted copies of reports again from their raw bytes, with the current rules. A report whose content
 * differs is counted again, one whose judgement would differ is judged again; the others are not touched. Scores of
 * past days that were computed from wrong data are computed again, final or not. May run twice, and be killed at any
 * point.
 *
 * @throws {QueueError} `job_interrupted` when the worker ends before the last report.
 */
export async function rereadReports(
  needs: RereadNeeds,
  { orgId, reportIds }: { orgId: string; reportIds: string[] },
): Promise<void> {
  const waiting = await findUnjudged(needs.database.db, orgId, reportIds, 'reread');
  for (const { id } of waiting) {
    throwIfEnding(needs.ending, 'The reports are read again later.');
    await rereadReport(needs, orgId, id);
  }
}

async function rereadReport(needs: RereadNeeds, orgId: string, id: string): Promise<void> {
  const { database } = needs;
  const [stored] = await findStored(database.db, orgId, { ids: [id] });
  const held = await findCopiesOf(database.db, orgId, id);
  const revision = held?.revisions.find(({ payloadSha256 }) => stored?.payloadSha256.equals(payloadSha256));
  if (!stored || !held || !revision?.message || !(await isThere(needs.blobs, revision.message.sha256)))
    return await judge(needs, orgId, id);
  if ((await keptBack(database.db, orgId, [revision]))(revision)) return await holdBack(needs, orgId, stored);
  const reread = await rereadCopy(needs.blobs, revision.message, revision, held.identity);
  const whileCounted = (work: (session: Session) => Promise<unknown>) =>
    transact(
      database,
      async (session) => {
        if (await holdCounted(session, orgId, stored)) await work(session); // otherwise the sweep finds it again
      },
      { unlimited: true },
    );
  switch (reread ? await difference(needs, orgId, stored, reread) : 'gone') {
    case 'none':
      return await whileCounted((session) => endUnchanged(session, orgId, id));
    case 'judgement':
      return await whileCounted((session) => judgeAgain(session, orgId, id));
    case 'facts':
      return await whileCounted(await recounting(needs, orgId, stored, { held, reread: present(reread) })).catch(
        async (error: unknown) => {
          if (!isUnstorable(error)) throw error;
          await judge(needs, orgId, id); // the database cannot hold its new content: the counted one stays
        },
      );
    case 'gone':
      // deleted while it was read
      if (!(await isThere(needs.blobs, revision.message.sha256))) return await judge(needs, orgId, id);
      return await whileCounted(async (session) => {
        await dropCopy(session, orgId, held);
        await reopenSnapshots(session.db, orgId, held.day);
      });
  }
}

/**
 * Takes a counted copy, which the organization holds by now, out of every figure. A mail that passed may have brought
 * it since it was loaded. Deliveries that still say that it counts, or repeat it without proof, are read again.
 */
async function holdBack({ database }: RereadNeeds, orgId: string, stored: StoredReport): Promise<void> {
  await transact(
    database,
    async (session) => {
      if (!(await holdCounted(session, orgId, stored))) return;
      const held = await findCopiesOf(session.db, orgId, stored.id);
      const revision = held?.revisions.find(({ payloadSha256 }) => payloadSha256.equals(stored.payloadSha256));
      if (!held || !revision || !(await keptBack(session.db, orgId, [revision]))(revision)) return; // found again
      const repeats = await findFailedRepeats(session, orgId, held.id, {
        revisions: [revision],
        reporter: stored.header.metadata,
      });
      await dropCopy(session, orgId, held);
      await requeueCounted(session, orgId, [revision]);
      if (repeats.length > 0) await requeueDeliveries(session, orgId, { messageIds: repeats, reportIds: [] });
      await reopenSnapshots(session.db, orgId, held.day);
    },
    { unlimited: true },
  );
}

/** The records of a report that cannot be read again stay; whether they were judged before is unknown. */
async function judge({ database }: RereadNeeds, orgId: string, id: string): Promise<void> {
  await transact(database, (session) => judgeAgain(session, orgId, id));
}

/** A document that cannot be read to its end counts as missing. */
async function difference(needs: RereadNeeds, orgId: string, stored: StoredReport, reread: Reread) {
  try {
    return await compareReport(needs, orgId, stored, reread);
  } catch (error) {
    if (isRefusal(error)) return 'gone';
    throw error;
  }
}

/**
 * What is stored about the report beside its content stays: the facts of its mail, to which mail may have added since
 * it was loaded, and of its other copies.
 */
async function recounting(
  { dimensions }: RereadNeeds,
  orgId: string,
  before: StoredReport,
  recount: Recount,
): Promise<(session: Session) => Promise<void>> {
  const exchange = await prepareRecount(dimensions, orgId, recount);
  return async (session) => {
    const held = await findCopiesOf(session.db, orgId, before.id);
    const revision = held?.revisions.find(({ payloadSha256 }) => payloadSha256.equals(before.payloadSha256));
    if (!held || !revision) return; // it was dropped by another run
    const isVouched = revision.authenticated === false && !held.isUnauthenticated; // by a copy with the same content
    const beside = await warningsBeside(session, orgId, held.id);
    await exchange(session, isVouched ? { ...revision, authenticated: null } : revision);
    await putWarnings(session, beside);
    const [after] = await findStored(session.db, orgId, { ids: [before.id] });
    if (!isScoredAlike(before, present(after))) await reopenSnapshots(session.db, orgId, held.day);
  };
}

/** Whether the scores of both are equal. */
function isScoredAlike(before: StoredReport, after: StoredReport): boolean {
  const scored = ({ sums: { messages, compliant, spfPass, dkimPass }, header: { policyPublished } }: StoredReport) => [
    [messages, compliant, spfPass, dkimPass],
    policyPublished,
  ];
  return isDeepStrictEqual(scored(before), scored(after));
}
