import type { Db, ReportRecordTable } from '@dmarc-ledger/schema';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { boundedPages, type Weighed, weighed } from '../reports/bounded-pages.ts';
import { type RecordToJudge, toJudgement } from '../reports/judge-records.ts';

type Row = Selectable<ReportRecordTable> & { version: number };
type Place = Pick<Row, 'source_ip' | 'day' | 'report_id' | 'position'>;

const BEGINNING: Place = {
  source_ip: '0.0.0.0/0',
  day: '-infinity',
  report_id: '00000000-0000-0000-0000-000000000000',
  position: -1,
};

/** A failing record, with the version of its report. */
export interface SourceRecord extends RecordToJudge {
  version: number;
}

/**
 * Yields an organization's failing records of these addresses, one bounded page at a time. Reads from the rollups on
 * which days an address had any, so that the many records of a legitimate sender are not scanned. Days whose sums wait
 * for repair may have some that the rollups do not show yet.
 */
export async function* recordsOfSources(
  db: Db,
  orgId: string,
  addresses: readonly string[],
): AsyncGenerator<SourceRecord[]> {
  if (addresses.length === 0) return;
  const pages = boundedPages<Row & Weighed>(async (after, limit) => {
    const found = recordsBehind(orgId, addresses, after ?? BEGINNING, limit);
    return (await weighed(found, 'source_ip, day, report_id, position').execute(db)).rows;
  });
  for await (const page of pages) yield page.map((row) => ({ ...toJudgement(row), version: row.version }));
}

/** Reads days in order, and the records of each in order, until the page is full. */
function recordsBehind(
  orgId: string,
  addresses: readonly string[],
  { source_ip, day, report_id, position }: Place,
  limit: number,
): RawBuilder<Row> {
  const among = sql`org_id = ${orgId} and source_ip = any(${addresses}::inet[])`;
  return sql`
    with days as materialized (
      select source_ip, day from (
        select source_ip, day from source_domain_day where ${among} and messages > compliant
        union select source_ip, day from stored_record where ${among} and messages = 0
        union select source_ip, day from rollup_dirty where ${among}) d
      where (source_ip, day) >= (${source_ip}::inet, ${day}::date) order by source_ip, day
    )
    select r.*, p.version from days cross join lateral (
      select * from report_record r where r.org_id = ${orgId} and r.source_ip = days.source_ip and r.day = days.day
        and not r.dkim_pass and not r.spf_pass
        and (r.source_ip, r.day, r.report_id, r.position)
          > (${source_ip}::inet, ${day}::date, ${report_id}::uuid, ${position}::integer)
      order by r.report_id, r.position limit ${limit}) r
      join report p on p.org_id = r.org_id and p.id = r.report_id
    order by days.source_ip, days.day, r.report_id, r.position limit ${limit}`;
}
