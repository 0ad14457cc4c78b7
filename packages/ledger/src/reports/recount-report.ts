import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';
import { addForwarded, type ForwardedOfDay } from '../rollups/add-forwarded.ts';
import { IS_FORWARDED } from '../rollups/record-sums.ts';
import { addToDaysAndTotals } from '../rollups/rollup-statements.ts';
import { RecordDetails } from './record-details.ts';
import { RECORD_COLUMNS, RecordLines } from './record-lines.ts';
import type { ReportCopy, StreamedRecords } from './report-facts.ts';
import { reportRow, warningRows } from './report-rows.ts';
import type { HeldReport } from './settle-copies.ts';
import { awaitJudgement, insertWarnings, replaceReport } from './store-statements.ts';

/**
 * Deletes the records of the counted copy, and marks the keys of their sources for repair. Returns a function that
 * subtracts the report from days and totals: it takes locks that every storing transaction needs, so it is to be called
 * last. The report's row stays locked until the transaction ends.
 */
export async function uncountReport(
  session: Session,
  orgId: string,
  { id }: Pick<HeldReport, 'id'>,
): Promise<() => Promise<void>> {
  await session.db.selectFrom('report').where('org_id', '=', orgId).where('id', '=', id).forUpdate().execute();
  const lost = await lostForwarded(session, orgId, id);
  await markDirty(session, orgId, id);
  for (const table of ['stored_record', 'parse_warning', 'unjudged_report'] as const) {
    await session.db.deleteFrom(table).where('org_id', '=', orgId).where('report_id', '=', id).execute();
  }
  return async () => {
    await session.run(addToDaysAndTotals, [orgId, [id], '[]', -1, false]);
    await addForwarded(session, orgId, lost);
  };
}

/** What its day loses; to be read once the report is locked, so that no class changes meanwhile. */
async function lostForwarded({ db }: Session, orgId: string, reportId: string): Promise<ForwardedOfDay[]> {
  const { rows } = await sql<ForwardedOfDay>`
    select domain_id, day, -sum(messages)::bigint as forwarded,
      -coalesce(sum(messages) filter (where proved), 0)::bigint as proved
    from stored_record where org_id = ${orgId} and report_id = ${reportId} and ${sql.raw(IS_FORWARDED)}
    group by domain_id, day`.execute(db);
  return rows;
}

/** Counts another copy instead of the counted one. Id, day and first receipt stay. */
export async function recountReport(
  session: Session,
  orgId: string,
  held: HeldReport,
  { copy, records, complete }: StreamedRecords & { copy: ReportCopy },
): Promise<void> {
  const takeFromTotals = await uncountReport(session, orgId, held);
  const place = {
    orgId,
    reportId: held.id,
    domainId: held.domainId,
    day: held.day,
    policy: copy.header.policyPublished,
  };
  const details = new RecordDetails();
  const lines = new RecordLines(place, details, null); // events do not rest on it before it is judged
  async function* text() {
    let position = 0;
    for await (const batch of records) yield batch.map((record) => lines.write(record, (position += 1)).line).join('');
  }
  await session.copy(RECORD_COLUMNS, text());
  await details.keep(session, orgId);
  await markDirty(session, orgId, held.id);
  await takeFromTotals();
  const whole = { ...complete(), id: held.id, day: held.day, origin: { ...copy.origin, receivedAt: held.receivedAt } };
  await session.run(replaceReport, [orgId, JSON.stringify(reportRow(orgId, whole))]);
  await session.run(insertWarnings, [JSON.stringify(warningRows(orgId, whole))]);
  await session.run(awaitJudgement, [orgId, [held.id]]);
  await session.run(addToDaysAndTotals, [orgId, [held.id], '[]', 1, false]);
  await announce(session, orgId, [
    { job: 'alignReports', payload: { orgId, reportIds: [held.id] } },
    { job: 'repairRollups', payload: { orgId } },
  ]);
}

/** Marks every sum by source that contains this report's records for recomputing after this transaction. */
async function markDirty(session: Session, orgId: string, reportId: string): Promise<void> {
  await sql`
    insert into rollup_dirty (org_id, source_ip, day, domain_id)
    select distinct org_id, source_ip, day, domain_id from stored_record where org_id = ${orgId}
      and report_id = ${reportId}
    order by source_ip, day, domain_id`.execute(session.db);
}
