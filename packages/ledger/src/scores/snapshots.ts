import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import type { Snapshot } from '@dmarc-ledger/scoring';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';

export interface SnapshotPlan {
  /** Organizations handed to the queue by one call at most. */
  atOnce: number;
  /** One that was planned and not heard of for so long is planned again. */
  lostAfterSeconds: number;
}

/** What is known of an organization's snapshots before they are computed. */
export interface SnapshotState {
  /** Whether it is this transaction that may compute them. */
  isMine: boolean;
  now: Date;
  /** Grows with every change of a past day. */
  marks: number;
  /** The earliest past day whose snapshot has changed. */
  changedFrom: Day | null;
  importedFrom: Day | null;
  importedAt: Date | null;
  /** The newest that is held. */
  last: Day | null;
}

/**
 * The day that it is, once those have ended who were counting reports when it was asked: of the days before it, whoever
 * changes one after that marks it.
 */
export async function findToday(db: Db, orgId: string): Promise<Day | undefined> {
  const { rows } = await sql<{ today: Day }>`
    select (ledger_now() at time zone 'utc')::date::text as today from org_total where org_id = ${orgId} for share`.execute(
    db,
  );
  return rows[0]?.today;
}

/** One transaction at a time computes an organization's snapshots; it is told so. */
export async function findSnapshotState(db: Db, orgId: string): Promise<SnapshotState | undefined> {
  const { rows } = await sql<SnapshotState>`
    select pg_try_advisory_xact_lock(hashtextextended('snapshots/' || t.org_id, 0)) as "isMine", ledger_now() as now,
      t.snapshot_marks as marks, t.snapshot_from::text as "changedFrom", t.imported_from::text as "importedFrom",
      t.imported_at as "importedAt", s.last::text as last
    from org_total t, lateral (select max(day) as last from score_snapshot where org_id = t.org_id) s
    where t.org_id = ${orgId}`.execute(db);
  return rows[0];
}

/** Keeps snapshots in the place of those of the same days; what is the same is left as it is. */
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
    on conflict (org_id, day) do update set score = excluded.score, compliance = excluded.compliance, spf = excluded.spf,
      dkim = excluded.dkim, messages = excluded.messages, computed_at = excluded.computed_at
    where (t.score, t.compliance, t.spf, t.dkim, t.messages)
      is distinct from (excluded.score, excluded.compliance, excluded.spf, excluded.dkim, excluded.messages)`.execute(
    db,
  );
}

/**
 * Notes that all days before this one were computed up to these marks, and that the next is due when it ends: which it may
 * have done meanwhile.
 */
export async function finishSnapshots(
  db: Db,
  orgId: string,
  { marks, today }: Pick<SnapshotState, 'marks'> & { today: Day },
): Promise<void> {
  await sql`
    update org_total set snapshot_from = case when snapshot_from >= ${today}::date then snapshot_from end, imported_from = null,
      snapshots_due_at = (${today}::date + 1)::timestamp at time zone 'utc'
    where org_id = ${orgId} and snapshot_marks = ${marks}`.execute(db);
}

/** Puts the computing off, while an import goes on. */
export async function postponeSnapshots(db: Db, orgId: string, seconds: number): Promise<void> {
  await sql`
    update org_total set snapshots_due_at = ledger_now() + make_interval(secs => ${seconds})
    where org_id = ${orgId}`.execute(db);
}

/** Hands organizations whose snapshots are due to the queue, those overdue longest first. Any number may plan. */
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
