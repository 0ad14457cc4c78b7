import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';
import type { ReportCopy } from './report-facts.ts';

/**
 * Has the new reports read again that only an import brought which was not released: it was not held because the report
 * was stored as others had brought it, and by now it is not. Reading it again holds it. (rules, copies/unproven-copies)
 */
export async function rereadUnreleased(session: Session, orgId: string, fresh: readonly ReportCopy[]): Promise<void> {
  const reportIds = fresh.filter(({ origin }) => origin.isUnproven && !origin.isReleased).map(({ id }) => id);
  if (reportIds.length === 0) return;
  await sql`
    insert into unjudged_report (org_id, report_id, step)
    select ${orgId}, id, 'reread' from unnest(${reportIds}::uuid[]) as fresh (id)
    on conflict (org_id, report_id) do update set step = 'reread', since = now()`.execute(session.db);
  await announce(session, orgId, [{ job: 'rereadReports', payload: { orgId, reportIds } }]);
}
