import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';

/**
 * Judges reports again from the beginning, whose records are right: a better mail has brought them, so that events may
 * rest on them, or what was recorded of them is wrong. One that is aligned and waits for its classes begins again, and
 * one that waits to be read again is judged afterwards. One that was deleted meanwhile does not wait.
 */
export async function judgeFromStart(session: Session, orgId: string, reportIds: readonly string[]): Promise<void> {
  if (reportIds.length === 0) return;
  await sql`
    insert into unjudged_report as u (org_id, report_id, step)
    select org_id, id, 'align' from report where org_id = ${orgId} and id = any(${reportIds}::uuid[]) order by id
      for key share
    on conflict (org_id, report_id) do update set is_judged = false,
      step = case u.step when 'classify' then 'align' else u.step end`.execute(session.db);
  await announce(session, orgId, [{ job: 'alignReports', payload: { orgId, reportIds: [...reportIds] } }]);
}
