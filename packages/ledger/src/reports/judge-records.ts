import type { PolicyPublished, RecordAlignment, RecordClass, ReportRecord } from '@dmarc-ledger/dmarc';
import type { Db, ReportRecordTable, Session } from '@dmarc-ledger/schema';
import type { Warning } from '@dmarc-ledger/vocabulary';
import { type Selectable, sql } from 'kysely';
import { makeReportedHealthDue } from '../due-work/health-due.ts';
import { watchReported } from '../due-work/watch-changes.ts';
import { boundedPages, type Weighed, weighed } from './bounded-pages.ts';
import { holdVersions, type ReportVersion } from './hold-versions.ts';
import { changeDetails, endAlignment, endJudgement, keepJudging as keepStatement } from './judge-statements.ts';
import { detailOf, RecordDetails } from './record-details.ts';
import { insertWarnings } from './store-statements.ts';
import { toRecord } from './stored-record.ts';

/** The place of a record in its table. */
export interface RecordKey {
  reportId: string;
  position: number;
  day: string;
}

export interface RecordToJudge extends RecordKey {
  domainId: string;
  record: ReportRecord;
  alignment: RecordAlignment;
}

export interface StoredJudgement extends RecordToJudge {
  class: RecordClass | null;
  isProved: boolean;
}

export type JudgementStep = 'reread' | 'align' | 'classify';
/** Warnings of the judgement come after those of reading. */
const AFTER_READING = 1_000;

/** Returns those of these reports that wait for the step, with the policy that applies to them. */
export async function findUnjudged(db: Db, orgId: string, reportIds: readonly string[], step: JudgementStep) {
  return await db
    .selectFrom('unjudged_report as u')
    .innerJoin('report as r', (join) => join.onRef('r.org_id', '=', 'u.org_id').onRef('r.id', '=', 'u.report_id'))
    .select(['r.id', 'r.domain_id as domainId', 'r.day', 'r.policy', 'r.version'])
    .$castTo<ReportVersion & { domainId: string; day: string; policy: PolicyPublished }>()
    .where('u.org_id', '=', orgId)
    .where('u.step', '=', step)
    .where('u.report_id', '=', sql<string>`any(${reportIds}::uuid[])`)
    .execute();
}

/** Yields the records of these reports in order, one bounded page at a time; optionally only those that fail DMARC. */
export async function* recordsOf(
  db: Db,
  orgId: string,
  reportIds: readonly string[],
  which: 'all' | 'failing',
): AsyncGenerator<StoredJudgement[]> {
  const pages = boundedPages<Selectable<ReportRecordTable> & Weighed>(async (after, limit) => {
    let found = db
      .selectFrom('report_record')
      .selectAll()
      .where('org_id', '=', orgId)
      .where('report_id', '=', sql<string>`any(${reportIds}::uuid[])`);
    if (which === 'failing') found = found.where('dkim_pass', '=', false).where('spf_pass', '=', false);
    if (after) found = found.where(sql<boolean>`(report_id, position) > (${after.report_id}, ${after.position})`);
    const ordered = found.orderBy('report_id').orderBy('position').limit(limit);
    return (await weighed(ordered, 'report_id, position').execute(db)).rows;
  });
  for await (const page of pages) yield page.map(toJudgement);
}

/** Stores what aligns in records, as part of details that they share with others. */
export async function saveAlignments(
  session: Session,
  orgId: string,
  judged: readonly (RecordKey & Pick<RecordToJudge, 'record' | 'alignment'>)[],
): Promise<void> {
  if (judged.length === 0) return;
  const details = new RecordDetails({ details: judged.length, characters: Infinity }); // they are in memory already
  const rows = judged.map(({ reportId, position, day, record, alignment }) => ({
    report_id: reportId,
    position,
    day,
    detail_id: details.share(detailOf(record, alignment)),
  }));
  await details.keep(session, orgId);
  await session.run(changeDetails, [orgId, JSON.stringify(rows)]);
}

/** Converts a row of `report_record` to the form that judging uses. */
export function toJudgement(row: Selectable<ReportRecordTable>): StoredJudgement {
  return {
    reportId: row.report_id,
    position: row.position,
    day: row.day,
    domainId: row.domain_id,
    record: toRecord(row),
    alignment: { dkim: row.dkim_aligned, spf: row.spf_aligned },
    class: row.class,
    isProved: row.proved,
  };
}

/** Extends the lease on the judgement of these reports. Skips a report that another transaction has locked. */
export async function keepJudging(session: Session, orgId: string, reportIds: readonly string[]): Promise<void> {
  await session.run(keepStatement, [orgId, reportIds]);
}

/**
 * Ends the alignment of reports and stores its warnings. The same job classifies them next. A report whose copy was
 * replaced meanwhile stays unaligned. Returns the reports that ended.
 */
export async function finishAlignment(
  session: Session,
  orgId: string,
  judged: readonly ReportVersion[],
  findings: ReadonlyMap<string, readonly Warning[]>,
): Promise<string[]> {
  const held = await holdVersions(session, orgId, judged);
  const done = await session.run<{ report_id: string }>(endAlignment, [orgId, [...held]]);
  const reportIds = done.map(({ report_id }) => report_id);
  if (reportIds.length === 0) return [];
  const rows = reportIds.flatMap((report_id) =>
    (findings.get(report_id) ?? []).map(({ code, detail }, i) => ({
      org_id: orgId,
      report_id,
      position: AFTER_READING + i,
      code,
      detail,
    })),
  );
  if (rows.length > 0) await session.run(insertWarnings, [JSON.stringify(rows)]);
  return reportIds;
}

/** Ends the judgement of reports; it starts again for a report whose copy was replaced meanwhile. */
export async function finishJudgement(
  session: Session,
  orgId: string,
  judged: readonly ReportVersion[],
): Promise<void> {
  const reportIds = [...(await holdVersions(session, orgId, judged))];
  await session.run(endJudgement, [orgId, reportIds]);
  await watchReported(session, orgId, reportIds);
  await makeReportedHealthDue(session, orgId, reportIds);
}
