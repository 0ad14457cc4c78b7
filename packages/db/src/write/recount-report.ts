import type { ReportRecord } from '@dmarc-ledger/dmarc';
import { sql } from 'kysely';
import type { Session } from '../transaction.ts';
import { announce } from './announce-work.ts';
import { recordsOf } from './judge-records.ts';
import { addToDayClasses } from './judge-statements.ts';
import { recordLine, RECORD_COLUMNS } from './record-lines.ts';
import type { ReportCopy } from './report-facts.ts';
import { reportRow, warningRows } from './report-rows.ts';
import { addToDaysAndTotals } from './rollup-statements.ts';
import { saveSourceClasses } from './save-classes.ts';
import type { HeldReport } from './settle-copies.ts';
import { awaitJudgement, insertWarnings, replaceReport } from './store-statements.ts';

/**
 * Takes the counted copy's records out of their table and of every figure of sources, whose keys are left dirty. Returns
 * what takes it out of days and totals: the locks that all who store reports need, to be taken when all else is done.
 */
export async function uncountReport(
  session: Session,
  orgId: string,
  { id }: Pick<HeldReport, 'id'>,
): Promise<() => Promise<void>> {
  const report = await session.db
    .selectFrom('report')
    .select(['domain_id', 'day'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  let forwarded = 0;
  for await (const page of recordsOf(session.db, orgId, [id], 'failing')) {
    const unclassed = page.map((key) => ({ ...key, class: null }));
    for (const move of await saveSourceClasses(session, orgId, unclassed)) forwarded += move.forwarded;
  }
  await markDirty(session, orgId, id);
  for (const table of ['report_record', 'parse_warning', 'unjudged_report'] as const) {
    await session.db.deleteFrom(table).where('org_id', '=', orgId).where('report_id', '=', id).execute();
  }
  return async () => {
    if (forwarded !== 0) await session.run(addToDayClasses, [orgId, JSON.stringify([{ ...report, forwarded }])]);
    await session.run(addToDaysAndTotals, [orgId, [id], '[]', -1, false]);
  };
}

/** Counts another copy in the place of the one that is counted. Id, day and first receipt stay. */
export async function recountReport(
  session: Session,
  orgId: string,
  held: HeldReport,
  copy: ReportCopy,
  records: AsyncIterable<readonly ReportRecord[]>,
  complete: () => ReportCopy,
): Promise<void> {
  const takeFromTotals = await uncountReport(session, orgId, held);
  const place = { orgId, reportId: held.id, domainId: held.domainId, day: held.day };
  async function* lines() {
    let position = 0;
    for await (const batch of records) yield batch.map((record) => recordLine(place, (position += 1), record)).join('');
  }
  await session.copy(RECORD_COLUMNS, lines());
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

async function markDirty(session: Session, orgId: string, reportId: string): Promise<void> {
  await sql`
    insert into rollup_dirty (org_id, source_ip, day, domain_id)
    select distinct org_id, source_ip, day, domain_id from report_record where org_id = ${orgId} and report_id = ${reportId}
    order by source_ip, day, domain_id
    on conflict do nothing`.execute(session.db);
}
