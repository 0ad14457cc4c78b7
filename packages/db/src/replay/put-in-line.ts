import { sql } from 'kysely';
import type { Session } from '../transaction.ts';
import { announce } from '../write/announce-work.ts';

const REPORTS_A_JOB = 100;

/**
 * Puts deliveries that have ended back in line, and with them the reports whose counted copy they brought: those are read
 * again from their raw bytes. What is in line already stays there.
 */
export async function putInLine(
  session: Session,
  orgId: string,
  { messageIds, reportIds }: { messageIds: readonly string[]; reportIds: readonly string[] },
): Promise<void> {
  await session.db
    .updateTable('raw_message')
    .set({ state: 'received', attempts_started: 0, claimed_by: null })
    .where('org_id', '=', orgId)
    .where('id', '=', sql<string>`any(${messageIds}::uuid[])`)
    .where('state', 'not in', ['received', 'processing'])
    .where('bytes_purged_at', 'is', null)
    .execute();
  const { rows } = await sql<{ report_id: string }>`
    insert into unjudged_report (org_id, report_id, step)
    select r.org_id, r.id, 'reread' from report r
      join report_revision v on v.org_id = r.org_id and v.report_id = r.id and v.payload_sha256 = r.payload_sha256
    where r.org_id = ${orgId} and r.id = any(${reportIds}::uuid[]) and v.message_id = any(${messageIds}::uuid[])
    order by r.id
    on conflict (org_id, report_id) do update set step = 'reread', since = now()
    returning report_id`.execute(session.db);
  const marked = rows.map(({ report_id }) => report_id);
  const jobs: { job: string; payload: unknown }[] = [];
  for (let at = 0; at < marked.length; at += REPORTS_A_JOB)
    jobs.push({ job: 'rereadReports', payload: { orgId, reportIds: marked.slice(at, at + REPORTS_A_JOB) } });
  await announce(session, orgId, jobs);
}
