import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';
import { endMonitoring } from '../events/end-monitoring.ts';
import { dropEmptyDays } from '../purge/report-statements.ts';
import type { ReportVersion } from '../reports/hold-versions.ts';
import { uncountReport } from '../reports/recount-report.ts';
import type { HeldReport } from '../reports/settle-copies.ts';
import { removeSignatures } from '../signatures/save-signatures.ts';

/** Whether those records still count; locked until this transaction ends. */
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

/**
 * Ends the rereading of a report that has not changed. One that waited for its judgement before is judged: that its
 * records have the right classes does not say that what follows from them is recorded.
 */
export async function endUnchanged(session: Session, orgId: string, id: string): Promise<void> {
  const waiting = await session.db
    .selectFrom('unjudged_report')
    .select('is_judged')
    .where('org_id', '=', orgId)
    .where('report_id', '=', id)
    .where('step', '=', 'reread')
    .forUpdate()
    .executeTakeFirst();
  if (waiting?.is_judged === true) await endReread(session, orgId, id);
  else await judgeAgain(session, orgId, id);
}

async function endReread(session: Session, orgId: string, id: string): Promise<void> {
  await session.db
    .deleteFrom('unjudged_report')
    .where('org_id', '=', orgId)
    .where('report_id', '=', id)
    .where('step', '=', 'reread')
    .execute();
}

/**
 * Judges a report that was read again from the beginning: its records are right, its judgement is not. Does nothing
 * when another run has ended the rereading meanwhile, whose judgement stays.
 */
export async function judgeAgain(session: Session, orgId: string, id: string): Promise<void> {
  const { numUpdatedRows } = await session.db
    .updateTable('unjudged_report')
    .set({ step: 'align', since: sql<Date>`now()`, is_judged: false })
    .where('org_id', '=', orgId)
    .where('report_id', '=', id)
    .where('step', '=', 'reread')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return;
  await session.db
    .deleteFrom('parse_warning')
    .where('org_id', '=', orgId)
    .where('report_id', '=', id)
    .where('position', '>=', 1_000)
    .where('position', '<', 1_900)
    .execute();
  await announce(session, orgId, [{ job: 'alignReports', payload: { orgId, reportIds: [id] } }]);
}

/**
 * Returns the warnings about a report that neither reading nor judging found: about its mail, and about its other
 * copies.
 */
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
 * Removes a copy that the current reader does not find in its delivery: another copy is counted instead, or, if none
 * can be read, the report is removed from every figure.
 */
export async function dropCopy(session: Session, orgId: string, held: HeldReport): Promise<'replaced' | 'removed'> {
  await session.db
    .deleteFrom('report_revision')
    .where('org_id', '=', orgId)
    .where('report_id', '=', held.id)
    .where('payload_sha256', '=', held.payloadSha256)
    .execute();
  await forgetContents(session, orgId, [held.payloadSha256]);
  const left = await session.db
    .updateTable('report_revision')
    .set({ settled: false })
    .where('org_id', '=', orgId)
    .where('report_id', '=', held.id)
    .returning('payload_sha256')
    .execute();
  if (left.length > 0) {
    await endReread(session, orgId, held.id);
    await announce(session, orgId, [{ job: 'settleReport', payload: { orgId, reportId: held.id } }]);
    return 'replaced';
  }
  await removeReport(session, orgId, held);
  return 'removed';
}

/**
 * Removes a report from every figure, with all its data: none of its copies contains it, or the organization holds it.
 * As by a purge, a domain that only reports had added ends with its last one.
 */
export async function removeReport(session: Session, orgId: string, { id }: Pick<HeldReport, 'id'>): Promise<void> {
  const takeFromTotals = await uncountReport(session, orgId, { id });
  await removeSignatures(session, orgId, [id]);
  await takeFromTotals();
  const left = await session.run<{ id: string }>(dropEmptyDays, [orgId, [id]]);
  const copies = await session.db
    .deleteFrom('report_revision')
    .where('org_id', '=', orgId)
    .where('report_id', '=', id)
    .returning('payload_sha256')
    .execute();
  await session.db.deleteFrom('report').where('org_id', '=', orgId).where('id', '=', id).execute();
  await announce(session, orgId, [{ job: 'repairRollups', payload: { orgId } }]);
  await forgetContents(
    session,
    orgId,
    copies.map(({ payload_sha256 }) => payload_sha256),
  );
  await endMonitoring(
    session,
    orgId,
    left.map((domain) => domain.id),
  );
}

/** A further delivery with these contents is read, as nothing that was stored of them is left. */
async function forgetContents({ db }: Session, orgId: string, sha256s: readonly Buffer[]): Promise<void> {
  await sql`
    delete from payload where org_id = ${orgId} and sha256 in (
      select sha256 from payload where org_id = ${orgId} and sha256 = any(${sha256s}::bytea[])
        order by sha256 for update)`.execute(db);
}
