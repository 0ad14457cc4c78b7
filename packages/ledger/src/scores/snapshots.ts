import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import type { Snapshot } from '@dmarc-ledger/scoring';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';

export interface SnapshotPlan {
  /** The most organizations queued by one call. */
  atOnce: number;
  /** An organization that was planned and not computed within this time is planned again. */
  lostAfterSeconds: number;
}

/** The state of an organization's snapshots before they are computed. */
export interface SnapshotState {
  /** Whether this transaction may compute them. */
  isMine: boolean;
  now: Date;
  /** Grows with every change of a past day. */
  marks: number;
  /** The earliest past day whose snapshot has changed. */
  changedFrom: Day | null;
  importedFrom: Day | null;
  importedAt: Date | null;
  /** The newest stored snapshot. */
  last: Day | null;
}

/**
 * Returns the current day, once the transactions that were counting reports at the time of the call have ended: any
 * later transaction that changes an earlier day marks it.
 */
export async function findToday(db: Db, orgId: string): Promise<Day | undefined> {
  const { rows } = await sql<{ today: Day }>`
    select (ledger_now() at time zone 'utc')::date::text as today from org_total
      where org_id = ${orgId} for share`.execute(db);
  return rows[0]?.today;
}

/**
 * Locks an organization's snapshots, as one transaction at a time computes them. Returns their state and whether this
 * one got the lock.
 */
export async function findSnapshotState(db: Db, orgId: string): Promise<SnapshotState | undefined> {
  const { rows } = await sql<SnapshotState>`
    select pg_try_advisory_xact_lock(hashtextextended('snapshots/' || t.org_id, 0)) as "isMine", ledger_now() as now,
      t.snapshot_marks as marks, t.snapshot_from::text as "changedFrom", t.imported_from::text as "importedFrom",
      t.imported_at as "importedAt", s.last::text as last
    from org_total t, lateral (select max(day) as last from score_snapshot where org_id = t.org_id) s
    where t.org_id = ${orgId}`.execute(db);
  return rows[0];
}

/** Stores snapshots in place of those of the same days; unchanged ones are not written. */
export async function saveSnapshots(db: Db, orgId: string, snapshots: readonly Snapshot[]): Promise<void> {
  const rows = snapshots.map(({ day, messages, score, compliance, spf, dkim }) => ({
    day,
    messages,
    score: hundredths(score),
    compliance: hundredths(compliance),
    spf: hundredths(spf),
    dkim: hundredths(dkim),
  }));
  await sql`
    insert into score_snapshot as t (org_id, day, score, compliance, spf, dkim, messages, computed_at)
    select ${orgId}, day, score, compliance, spf, dkim, messages, ledger_now()
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as s (day date, score integer, compliance integer, spf integer, dkim integer, messages bigint)
    order by day
    on conflict (org_id, day) do update set score = excluded.score, compliance = excluded.compliance,
      spf = excluded.spf, dkim = excluded.dkim, messages = excluded.messages, computed_at = excluded.computed_at
    where (t.score, t.compliance, t.spf, t.dkim, t.messages)
      is distinct from (excluded.score, excluded.compliance, excluded.spf, excluded.dkim, excluded.messages)`.execute(
    db,
  );
}

/**
 * Records that all days before this one were computed up to these marks, and schedules the next run for the end of the
 * day, which may have passed meanwhile.
 */
export async function finishSnapshots(
  db: Db,
  orgId: string,
  { marks, today }: Pick<SnapshotState, 'marks'> & { today: Day },
): Promise<void> {
  await sql`
    update org_total set snapshot_from = case when snapshot_from >= ${today}::date then snapshot_from end,
      imported_from = null, snapshots_due_at = (${today}::date + 1)::timestamp at time zone 'utc'
    where org_id = ${orgId} and snapshot_marks = ${marks}`.execute(db);
}

/** Postpones the computation while an import is running. */
export async function postponeSnapshots(db: Db, orgId: string, seconds: number): Promise<void> {
  await sql`
    update org_total set snapshots_due_at = ledger_now() + make_interval(secs => ${seconds})
    where org_id = ${orgId}`.execute(db);
}

/** Queues organizations whose snapshots are due, the most overdue first. Planners may run concurrently. */
export async function planSnapshots(database: Database, { atOnce, lostAfterSeconds }: SnapshotPlan): Promise<number> {
  return await transact(database, async (session) => {
    const { rows } = await sql<{ org_id: string }>`
      with picked as (
        select org_id from org_total where snapshots_due_at <= ledger_now() order by snapshots_due_at limit ${atOnce}
        for update skip locked
      )
      update org_total t set snapshots_due_at = ledger_now() + make_interval(secs => ${lostAfterSeconds})
      from picked p where t.org_id = p.org_id returning t.org_id`.execute(session.db);
    for (const { org_id: orgId } of rows)
      await announce(session, orgId, [{ job: 'computeSnapshots', payload: { orgId } }]);
    return rows.length;
  });
}

function hundredths(value: number): number {
  return Math.round(value * 100);
}
