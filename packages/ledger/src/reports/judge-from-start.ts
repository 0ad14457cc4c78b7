import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';

/**
 * Judges reports again from the beginning, whose records are right: a better mail has brought them, so that events may
 * rest on them, or what was recorded of them is wrong. What waits already stays as it is.
 */
export async function judgeFromStart(session: Session, orgId: string, reportIds: readonly string[]): Promise<void> {
  if (reportIds.length === 0) return;
  await sql`
    insert into unjudged_report (org_id, report_id, step)
    select ${orgId}, id, 'align' from unnest(${reportIds}::uuid[]) as id order by id
    on conflict do nothing`.execute(session.db);
  await announce(session, orgId, [{ job: 'alignReports', payload: { orgId, reportIds } }]);
}
