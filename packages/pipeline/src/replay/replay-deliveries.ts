import { setTimeout as sleep } from 'node:timers/promises';
import type { BlobStore } from '@dmarc-ledger/blobs';
import {
  countCopiesOpen,
  countEnded,
  countOpen,
  countUndoneBefore,
  countUnsettled,
  type EndedMessage,
  findEndings,
  measureReports,
  requeueDeliveries,
  type ReplayScope,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { idText, newId } from '@dmarc-ledger/vocabulary';
import { batchesOf, reportIdsOf } from './batches.ts';
import { addEnding, addFigures, doneOf, fateOf, noSummary, type ReplaySummary } from './summary.ts';

export interface ReplayNeeds {
  database: Database;
  blobs: BlobStore;
  /** Receives the number of deliveries, and how many are done. */
  onProgress?: (progress: { received: number; done: number }) => void;
}

const POLL_MS = 100;
/** Why a delivery that was queued has no ending. */
const PURGED = { code: 'purged', message: 'It was deleted meanwhile, as its retention has ended.' };

/**
 * Reads deliveries again with the current code, batch by batch, and waits until all follow-up work is done. The
 * services on this ledger do the work. May be ended at any point: the services finish what was begun.
 */
export async function replayDeliveries(needs: ReplayNeeds, orgId: string, scope: ReplayScope): Promise<ReplaySummary> {
  const { db } = needs.database;
  const summary = noSummary();
  const begunAt = newId();
  const received = await countEnded(db, orgId, scope);
  for await (const { present, missing } of batchesOf(needs, orgId, scope)) {
    summary.deliveries.missing.push(...missing.map(({ message, fault }) => ({ id: idText(message.id), ...fault })));
    if (present.length > 0) await replayBatch(needs, orgId, present, summary);
    needs.onProgress?.({ received, done: doneOf(summary) });
  }
  while ((await countUndoneBefore(db, orgId, begunAt)) > 0) await sleep(POLL_MS); // also for a replay that was ended
  return summary;
}

async function replayBatch(
  { database }: ReplayNeeds,
  orgId: string,
  batch: readonly EndedMessage[],
  summary: ReplaySummary,
): Promise<void> {
  const begunAt = newId();
  const messageIds = batch.map(({ message }) => message.id);
  const reportIds = reportIdsOf(batch);
  const before = new Map((await measureReports(database.db, orgId, reportIds)).map((report) => [report.id, report]));
  await transact(database, (session) => requeueDeliveries(session, orgId, { messageIds, reportIds }));
  const { endings, held } = await untilDone(database, orgId, messageIds, reportIds);
  const all = [...new Set([...reportIds, ...reportIdsOf(endings)])];
  const after = new Map((await measureReports(database.db, orgId, all)).map((report) => [report.id, report]));
  for (const { message, ...ending } of batch) {
    const now = endings.find(({ id }) => id === message.id);
    if (now) addEnding(summary, ending, now);
    else if (held.includes(message.id)) summary.deliveries.held += 1;
    else summary.deliveries.missing.push({ id: idText(message.id), ...PURGED });
  }
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(id), after.get(id)];
    const fate = fateOf(was, is, begunAt);
    summary.reports[fate] += 1;
    const earlier = was ?? (fate === 'unchanged' ? is : undefined);
    if (earlier) addFigures(summary.before, earlier);
    if (is) addFigures(summary.after, is);
  }
}

/** Waits until the deliveries are finished, held or purged meanwhile, and the work on their reports is done. */
async function untilDone({ db }: Database, orgId: string, messageIds: readonly string[], reportIds: readonly string[]) {
  for (;;) {
    const open = await countOpen(db, orgId, messageIds); // before their endings are read: one may end in between
    if (open === 0 && (await countCopiesOpen(db, orgId, messageIds)) === 0) {
      const ended = await findEndings(db, orgId, messageIds);
      if ((await countUnsettled(db, orgId, [...reportIds, ...reportIdsOf(ended.endings)])) === 0) return ended;
    }
    await sleep(POLL_MS);
  }
}
