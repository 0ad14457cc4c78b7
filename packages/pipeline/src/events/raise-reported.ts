import { findOwners, type OtherReport, raiseEvents } from '@dmarc-ledger/ledger';
import type { Session } from '@dmarc-ledger/schema';
import { judgeReported, reportedConditions } from '@dmarc-ledger/scoring';

/** Raises events for the findings about monitored domains in newly stored reports, in the session's transaction. */
export async function raiseReported(session: Session, orgId: string, reports: readonly OtherReport[]): Promise<void> {
  const conditions = reportedConditions(reports);
  if (conditions.length === 0) return;
  const domains = await findOwners(session, orgId, [...new Set(conditions.map(({ name }) => name))]);
  await raiseEvents(session, orgId, judgeReported(conditions, domains));
}
