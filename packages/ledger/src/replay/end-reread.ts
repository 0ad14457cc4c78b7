import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';
import type { ReportVersion } from '../reports/hold-versions.ts';

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

export async function endReread(session: Session, orgId: string, id: string): Promise<void> {
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
