import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { holdsUnauthenticated } from '../intake/held-reports.ts';
import { announce } from '../due-work/announce-work.ts';
import type { ReportCopy } from './report-facts.ts';

/**
 * Has the new reports read again that were not held because they were stored as others had brought them, and by now are
 * not: what only an import brought, or only failing mail where the organization holds it, and was not released. Reading
 * them again holds them. (rules, copies/unproven-copies; rules, copies/held-reports)
 */
export async function rereadUnreleased(session: Session, orgId: string, fresh: readonly ReportCopy[]): Promise<void> {
  const unreleased = fresh.filter(({ origin }) => !origin.isReleased);
  const unproven = unreleased.filter(({ origin }) => origin.isUnproven);
  const failed = unreleased.filter(({ origin }) => !origin.isUnproven && origin.authenticated === false);
  const isHolding = failed.length > 0 && (await holdsUnauthenticated(session.db, orgId));
  const reportIds = [...unproven, ...(isHolding ? failed : [])].map(({ id }) => id);
  if (reportIds.length === 0) return;
  await sql`
    insert into unjudged_report (org_id, report_id, step)
    select ${orgId}, id, 'reread' from unnest(${reportIds}::uuid[]) as fresh (id)
    on conflict (org_id, report_id) do update set step = 'reread', since = now()`.execute(session.db);
  await announce(session, orgId, [{ job: 'rereadReports', payload: { orgId, reportIds } }]);
}
