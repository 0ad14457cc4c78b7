import { sql, type Selectable } from 'kysely';
import type { Db } from '../database.ts';
import type { ReportRecordTable } from '../tables/index.ts';
import type { RecordToJudge } from '../write/judge-records.ts';
import { toRecord } from '../write/stored-record.ts';

const PAGE = 1_000;

/**
 * An organization's failing records of these addresses, a bounded page at a time. The rollups tell on which days an
 * address had any, so that the mass of an honest sender's records is not walked.
 */
export async function* recordsOfSources(
  db: Db,
  orgId: string,
  addresses: readonly string[],
): AsyncGenerator<RecordToJudge[]> {
  for (const address of addresses) {
    for (let after: RecordToJudge | undefined; ;) {
      const page = await pageOf(db, orgId, address, after);
      if (page.length > 0) yield page;
      if (page.length < PAGE) break;
      after = page.at(-1);
    }
  }
}

async function pageOf(
  db: Db,
  orgId: string,
  address: string,
  after: RecordToJudge | undefined,
): Promise<RecordToJudge[]> {
  const { day = '-infinity', reportId = '00000000-0000-0000-0000-000000000000', position = -1 } = after ?? {};
  const { rows } = await sql<Selectable<ReportRecordTable>>`
    with days as materialized (
      select day from source_domain_day
      where org_id = ${orgId} and source_ip = ${address} and messages > compliant and day >= ${day}::date
      union select day from report_record
      where org_id = ${orgId} and source_ip = ${address} and messages = 0 and day >= ${day}::date
    )
    select r.* from days cross join lateral (
      select * from report_record r where r.org_id = ${orgId} and r.source_ip = ${address} and r.day = days.day
        and not r.dkim_pass and not r.spf_pass
        and (r.day, r.report_id, r.position) > (${day}::date, ${reportId}::uuid, ${position}::integer)
      order by r.report_id, r.position limit ${PAGE}) r
    order by r.day, r.report_id, r.position limit ${PAGE}`.execute(db);
  return rows.map((row) => ({
    reportId: row.report_id,
    position: row.position,
    day: row.day,
    record: toRecord(row),
    alignment: { dkim: row.dkim_aligned, spf: row.spf_aligned },
  }));
}
