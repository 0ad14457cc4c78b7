import type { PolicyPublished } from '@dmarc-ledger/dmarc';
import type { Db, ReportRecordTable } from '@dmarc-ledger/schema';
import { type Selectable, sql } from 'kysely';
import { type StoredJudgement, toJudgement } from '../reports/judge-records.ts';

/** A failing record whose judgement has ended, with the policy that applied to it. */
export interface JudgedRecord extends StoredJudgement {
  policy: PolicyPublished;
}

const PAGE = 1_000;
const BEFORE_ALL = { reportId: '00000000-0000-0000-0000-000000000000', position: -1 };

/**
 * Yields the failing records of an organization in order, one bounded page at a time. Skips records whose report or
 * source still waits for judgement. Read in one transaction on one snapshot, the result is consistent.
 */
export async function* judgedRecords(db: Db, orgId: string): AsyncGenerator<JudgedRecord[]> {
  for (let after: Pick<JudgedRecord, 'reportId' | 'position'> = BEFORE_ALL; ;) {
    const { rows } = await sql<Selectable<ReportRecordTable> & { policy: PolicyPublished }>`
      select r.*, p.policy from report_record r join report p on p.org_id = r.org_id and p.id = r.report_id
      where r.org_id = ${orgId} and not r.dkim_pass and not r.spf_pass
        and (r.report_id, r.position) > (${after.reportId}::uuid, ${after.position}::integer)
        and not exists (select from unjudged_report u where u.org_id = r.org_id and u.report_id = r.report_id)
        and not exists (select from unjudged_signature g where g.org_id = r.org_id and g.domain_id = r.domain_id)
        and not exists (select from unjudged_source s where s.org_id = r.org_id and s.source_ip = r.source_ip)
      order by r.report_id, r.position limit ${PAGE}`.execute(db);
    const page = rows.map((row): JudgedRecord => ({ ...toJudgement(row), policy: row.policy }));
    const last = page.at(-1);
    if (last) yield page;
    if (!last || page.length < PAGE) return;
    after = last;
  }
}
