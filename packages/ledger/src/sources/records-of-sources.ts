import type { Db, ReportRecordTable } from '@dmarc-ledger/schema';
import { type Selectable, sql } from 'kysely';
import { type RecordToJudge, toJudgement } from '../reports/judge-records.ts';

const PAGE = 1_000;
const BEGINNING = {
  address: '0.0.0.0/0',
  day: '-infinity',
  reportId: '00000000-0000-0000-0000-000000000000',
  position: -1,
};

/** A failing record, with the version of its report. */
export interface SourceRecord extends RecordToJudge {
  version: number;
}

/**
 * Yields an organization's failing records of these addresses, one bounded page at a time. Reads from the rollups on
 * which days an address had any, so that the many records of a legitimate sender are not scanned.
 */
export async function* recordsOfSources(
  db: Db,
  orgId: string,
  addresses: readonly string[],
): AsyncGenerator<SourceRecord[]> {
  if (addresses.length === 0) return;
  for (let after = BEGINNING; ;) {
    const page = await pageOf(db, orgId, addresses, after);
    const last = page.at(-1);
    if (last) yield page;
    if (!last || page.length < PAGE) return;
    after = { ...last, address: last.record.sourceIp };
  }
}

/** Reads days in order, and the records of each in order, until the page is full. */
async function pageOf(
  db: Db,
  orgId: string,
  addresses: readonly string[],
  { address, day, reportId, position }: typeof BEGINNING,
): Promise<SourceRecord[]> {
  const among = sql`org_id = ${orgId} and source_ip = any(${addresses}::inet[])`;
  const { rows } = await sql<Selectable<ReportRecordTable> & { version: number }>`
    with days as materialized (
      select source_ip, day from (
        select source_ip, day from source_domain_day where ${among} and messages > compliant
        union select source_ip, day from stored_record where ${among} and messages = 0) d
      where (source_ip, day) >= (${address}::inet, ${day}::date) order by source_ip, day
    )
    select r.*, p.version from days cross join lateral (
      select * from report_record r where r.org_id = ${orgId} and r.source_ip = days.source_ip and r.day = days.day
        and not r.dkim_pass and not r.spf_pass
        and (r.source_ip, r.day, r.report_id, r.position)
          > (${address}::inet, ${day}::date, ${reportId}::uuid, ${position}::integer)
      order by r.report_id, r.position limit ${PAGE}) r
      join report p on p.org_id = r.org_id and p.id = r.report_id
    order by days.source_ip, days.day, r.report_id, r.position limit ${PAGE}`.execute(db);
  return rows.map((row) => ({ ...toJudgement(row), version: row.version }));
}
