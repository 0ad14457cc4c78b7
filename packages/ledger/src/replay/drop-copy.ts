import type { Session } from '@dmarc-ledger/schema';
import { announce } from '../due-work/announce-work.ts';
import { endMonitoring } from '../events/end-monitoring.ts';
import { dropEmptyDays } from '../purge/report-statements.ts';
import { uncountReport } from '../reports/recount-report.ts';
import type { HeldReport } from '../reports/settle-copies.ts';
import { removeSignatures } from '../signatures/save-signatures.ts';
import { endReread } from './end-reread.ts';
import { forgetContents } from '../intake/forget-contents.ts';

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
  await endMonitoring(
    session,
    orgId,
    left.map((domain) => domain.id),
  ); // before contents, as intake locks conditions of events before these
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
}
