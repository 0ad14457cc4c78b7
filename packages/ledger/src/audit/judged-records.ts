import type { PolicyPublished } from '@dmarc-ledger/dmarc';
import type { Db, ReportRecordTable } from '@dmarc-ledger/schema';
import { type Selectable, sql } from 'kysely';
import { boundedPages, type Weighed, weighed } from '../reports/bounded-pages.ts';
import { type StoredJudgement, toJudgement } from '../reports/judge-records.ts';

/** A failing record whose judgement has ended, with the policy that applied to it. */
export interface JudgedRecord extends StoredJudgement {
  policy: PolicyPublished;
}

type Row = Selectable<ReportRecordTable> & { policy: PolicyPublished };

const BEFORE_ALL = { report_id: '00000000-0000-0000-0000-000000000000', position: -1 };

/**
 * Yields the failing records of an organization in order, one bounded page at a time. Skips records whose report or
 * source still waits for judgement. Read in one transaction on one snapshot, the result is consistent.
 */
export async function* judgedRecords(db: Db, orgId: string): AsyncGenerator<JudgedRecord[]> {
  const pages = boundedPages<Row & Weighed>(async (after, limit) => {
    const { report_id, position } = after ?? BEFORE_ALL;
    const found = sql<Row>`
      select r.*, p.policy from report_record r join report p on p.org_id = r.org_id and p.id = r.report_id
      where r.org_id = ${orgId} and not r.dkim_pass and not r.spf_pass
        and (r.report_id, r.position) > (${report_id}::uuid, ${position}::integer)
        and not exists (select from unjudged_report u where u.org_id = r.org_id and u.report_id = r.report_id)
        and not exists (select from unjudged_signature g where g.org_id = r.org_id and g.domain_id = r.domain_id)
        and not exists (select from unjudged_source s where s.org_id = r.org_id and s.source_ip = r.source_ip)
      order by r.report_id, r.position limit ${limit}`;
    return (await weighed(found, 'report_id, position').execute(db)).rows;
  });
  for await (const page of pages) yield page.map((row) => ({ ...toJudgement(row), policy: row.policy }));
}
