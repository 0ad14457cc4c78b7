import type { MailEvidence, ReportMetadata } from '@dmarc-ledger/dmarc';
import type { Session } from '@dmarc-ledger/schema';
import { announce } from '../due-work/announce-work.ts';
import { holdReports } from './hold-reports.ts';
import { findHeldContents, improveCopies as improveStatement } from './improve-statements.ts';

/** What one mail says about a stored copy: whether the reporter sent it, and when. */
export interface CopyWitness extends MailEvidence {
  reportId: string;
  payloadSha256: Buffer;
}

/** A stored copy, and the reporter that its report names. */
export interface HeldContent extends CopyWitness {
  metadata: Pick<ReportMetadata, 'email' | 'reporterName'>;
}

/** Returns the copies of reports in these contents, by the story of the delivery that brought each first. */
export async function findHeldCopies(
  session: Session,
  orgId: string,
  sha256s: readonly Buffer[],
): Promise<HeldContent[]> {
  const rows = await session.run<HeldRow>(findHeldContents, [orgId, sha256s]);
  return rows.map((row) => ({
    reportId: row.report_id,
    payloadSha256: row.payload_sha256,
    authenticated: row.authenticated,
    mailReceivedAt: row.mail_received_at,
    metadata: row.metadata,
  }));
}

interface HeldRow {
  report_id: string;
  payload_sha256: Buffer;
  authenticated: boolean | null;
  mail_received_at: Date | null;
  metadata: ReportMetadata;
}

/**
 * Rates copies by the best of all mails that brought them, whichever came first; if a report has several copies, the
 * choice between them is made again.
 */
export async function improveCopies(session: Session, orgId: string, witnesses: readonly CopyWitness[]): Promise<void> {
  if (witnesses.length === 0) return;
  await holdReports(
    session,
    orgId,
    witnesses.map(({ reportId }) => reportId),
  );
  const rows = witnesses.map(({ reportId, payloadSha256, authenticated, mailReceivedAt }) => ({
    report_id: reportId,
    payload: `\\x${payloadSha256.toString('hex')}`,
    authenticated,
    mail_received_at: mailReceivedAt?.toISOString() ?? null,
  }));
  const unsettled = await session.run<{ report_id: string }>(improveStatement, [orgId, JSON.stringify(rows)]);
  const reportIds = new Set(unsettled.map(({ report_id }) => report_id));
  await announce(
    session,
    orgId,
    [...reportIds].map((reportId) => ({ job: 'settleReport', payload: { orgId, reportId } })),
  );
}
