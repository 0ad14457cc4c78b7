import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';
import type { ReportVersion } from '../reports/hold-versions.ts';
import { uncountReport } from '../reports/recount-report.ts';
import type { HeldReport } from '../reports/settle-copies.ts';

/** Whether those records still count; nobody changes that until this transaction ends. */
export async function holdCounted(session: Session, orgId: string, { id, version }: ReportVersion): Promise<boolean> {
  const row = await session.db
    .selectFrom('report')
    .select('version')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row?.version === version;
}

/** Nothing of it differs: it waits for nothing any more. */
export async function endReread(session: Session, orgId: string, reportIds: readonly string[]): Promise<void> {
  await session.db
    .deleteFrom('unjudged_report')
    .where('org_id', '=', orgId)
    .where('report_id', '=', sql<string>`any(${reportIds}::uuid[])`)
    .where('step', '=', 'reread')
    .execute();
}

/** Its records are right, what was made of them is not: it is judged from the beginning. */
export async function judgeAgain(session: Session, orgId: string, id: string): Promise<void> {
  await session.db
    .deleteFrom('parse_warning')
    .where('org_id', '=', orgId)
    .where('report_id', '=', id)
    .where('position', '>=', 1_000)
    .where('position', '<', 1_900)
    .execute();
  await session.db
    .updateTable('unjudged_report')
    .set({ step: 'align', since: sql<Date>`now()` })
    .where('org_id', '=', orgId)
    .where('report_id', '=', id)
    .execute();
  await announce(session, orgId, [{ job: 'alignReports', payload: { orgId, reportIds: [id] } }]);
}

/** What a report says beside what reading and judging it found: of its mail, and of its other copies. */
export async function warningsBeside(session: Session, orgId: string, id: string) {
  return await session.db
    .selectFrom('parse_warning')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('report_id', '=', id)
    .where('position', '>=', 1_900)
    .execute();
}

export async function putWarnings(
  session: Session,
  warnings: Awaited<ReturnType<typeof warningsBeside>>,
): Promise<void> {
  if (warnings.length === 0) return;
  await session.db
    .insertInto('parse_warning')
    .values(warnings)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Takes a copy out that today's reader does not find in its delivery: another one comes to count, and without one that can
 * be read the report is gone from every figure.
 */
export async function dropCopy(session: Session, orgId: string, held: HeldReport): Promise<'replaced' | 'removed'> {
  await session.db
    .deleteFrom('report_revision')
    .where('org_id', '=', orgId)
    .where('report_id', '=', held.id)
    .where('payload_sha256', '=', held.payloadSha256)
    .execute();
  const left = await session.db
    .updateTable('report_revision')
    .set({ settled: false })
    .where('org_id', '=', orgId)
    .where('report_id', '=', held.id)
    .returning('payload_sha256')
    .execute();
  if (left.length > 0) {
    await endReread(session, orgId, [held.id]);
    await announce(session, orgId, [{ job: 'settleReport', payload: { orgId, reportId: held.id } }]);
    return 'replaced';
  }
  await removeReport(session, orgId, held);
  return 'removed';
}

/** Takes a report out of every figure, with all that is kept of it: none of its copies says what it says. */
export async function removeReport(session: Session, orgId: string, { id }: Pick<HeldReport, 'id'>): Promise<void> {
  const takeFromTotals = await uncountReport(session, orgId, { id });
  await takeFromTotals();
  await session.db.deleteFrom('report_revision').where('org_id', '=', orgId).where('report_id', '=', id).execute();
  await session.db.deleteFrom('report').where('org_id', '=', orgId).where('id', '=', id).execute();
  await announce(session, orgId, [{ job: 'repairRollups', payload: { orgId } }]);
}
