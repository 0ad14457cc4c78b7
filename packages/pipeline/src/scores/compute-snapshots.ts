import { findFirstDay, findHistories } from '@dmarc-ledger/facts';
import { findSnapshotState, findToday, finishSnapshots, postponeSnapshots, saveSnapshots } from '@dmarc-ledger/ledger';
import { type Database, type Session, transact } from '@dmarc-ledger/schema';
import { firstDayOfSnapshots, firstSnapshotDay, SnapshotRange } from '@dmarc-ledger/scoring';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';

/** An import is over when it has brought nothing for this long. */
const QUIET_SECONDS = 60;

/**
 * Computes the snapshots of an organization that are missing, or that late or imported reports have changed. Running it
 * again is safe; while another process computes them, this one does nothing.
 * @param from all from this day on, whether final or not.
 */
export async function computeSnapshots(
  { database }: { database: Database },
  { orgId, from }: { orgId: string; from?: Day },
): Promise<{ computed: number }> {
  const today = await findToday(database.db, orgId);
  if (today === undefined) return { computed: 0 };
  const compute = (session: Session) => computeInOneView(session, orgId, { from, yesterday: addDays(today, -1) });
  const done = await transact(database, compute, { unlimited: true });
  if (done === undefined) return { computed: 0 };
  if ('postponed' in done) await postponeSnapshots(database.db, orgId, QUIET_SECONDS);
  else await finishSnapshots(database.db, orgId, { ...done, today });
  return { computed: 'postponed' in done ? 0 : done.computed };
}

async function computeInOneView(
  { db, query }: Session,
  orgId: string,
  { from, yesterday }: { from: Day | undefined; yesterday: Day },
): Promise<{ marks: number; computed: number } | { postponed: true } | undefined> {
  await query('set transaction isolation level repeatable read');
  const state = await findSnapshotState(db, orgId);
  if (!state?.isMine) return undefined;
  const { now, marks, importedAt } = state;
  const isImporting = importedAt !== null && now.getTime() - importedAt.getTime() < QUIET_SECONDS * 1_000;
  if (isImporting && from === undefined) return { postponed: true };
  const firstDay = await findFirstDay(db, orgId, yesterday);
  if (firstDay === undefined) return { marks, computed: 0 };
  const firstReportDay = firstDayOfSnapshots(firstDay);
  const due = firstSnapshotDay({ ...state, firstReportDay });
  const asked = from !== undefined && from < firstReportDay ? firstReportDay : from;
  const range = new SnapshotRange(asked !== undefined && asked < due ? asked : due, yesterday);
  for await (const history of findHistories(db, orgId, range.from, yesterday)) range.add(history);
  const snapshots = [...range.snapshots()];
  await saveSnapshots(db, orgId, snapshots);
  return { marks, computed: snapshots.length };
}
