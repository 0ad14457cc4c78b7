import type { MailEvidence, ReportMetadata } from '@dmarc-ledger/dmarc';
import type { Session } from '@dmarc-ledger/schema';
import { announce } from '../due-work/announce-work.ts';
import { holdReports } from './hold-reports.ts';
import { judgeFromStart } from './judge-from-start.ts';
import { findHeldContents, improveCopies as improveStatement } from './improve-statements.ts';

/** A copy of a report, with what is known of the mails that brought it. */
interface Copy extends MailEvidence {
  reportId: string;
  payloadSha256: Buffer;
}

/** What one mail says about a stored copy: whether the reporter sent it, and when; and where its bytes are. */
export interface CopyWitness extends Copy {
  messageId: string;
  document: string;
}

/** A stored copy, and the reporter that its report names. */
export interface HeldContent extends Copy {
  metadata: Pick<ReportMetadata, 'email' | 'reporterName'>;
  /** False once retention has deleted the bytes of its delivery. */
  hasBytes: boolean;
}

/** Returns the copies of reports in these contents, by the parts of the delivery that brought each first. */
export async function findHeldCopies(
  session: Session,
  orgId: string,
  sha256s: readonly Buffer[],
): Promise<HeldContent[]> {
  const rows = await session.run<HeldRow>(findHeldContents, [orgId, sha256s]);
  return rows.map(toHeldContent);
}

export function toHeldContent(row: HeldRow): HeldContent {
  return {
    reportId: row.report_id,
    payloadSha256: row.payload_sha256,
    authenticated: row.authenticated,
    isUnproven: row.unproven === true,
    mailReceivedAt: row.mail_received_at,
    metadata: row.metadata,
    hasBytes: row.has_bytes,
  };
}

export interface HeldRow {
  report_id: string;
  payload_sha256: Buffer;
  authenticated: boolean | null;
  unproven: boolean | null;
  mail_received_at: Date | null;
  metadata: ReportMetadata;
  has_bytes: boolean;
}

/**
 * Rates copies by the best of all mails that brought them, whichever came first; if a report has several copies, the
 * choice between them is made again. A copy whose bytes are deleted is that of the newer delivery from now on.
 */
export async function improveCopies(session: Session, orgId: string, said: readonly CopyWitness[]): Promise<void> {
  const witnesses = said.filter(({ isUnproven }) => !isUnproven); // an import says nothing of a copy
  if (witnesses.length === 0) return;
  await holdReports(
    session,
    orgId,
    witnesses.map(({ reportId }) => reportId),
  );
  const rows = witnesses.map(({ reportId, payloadSha256, authenticated, mailReceivedAt, messageId, document }) => ({
    report_id: reportId,
    payload: `\\x${payloadSha256.toString('hex')}`,
    authenticated,
    mail_received_at: mailReceivedAt?.toISOString() ?? null,
    message_id: messageId,
    document,
  }));
  const improved = await session.run<{ report_id: string; is_unsettled: boolean }>(improveStatement, [
    orgId,
    JSON.stringify(rows),
  ]);
  const idsOf = (isUnsettled: boolean) =>
    new Set(improved.flatMap(({ report_id, is_unsettled }) => (is_unsettled === isUnsettled ? [report_id] : [])));
  const reportIds = idsOf(true);
  await judgeFromStart(session, orgId, [...idsOf(false)]);
  await announce(
    session,
    orgId,
    [...reportIds].map((reportId) => ({ job: 'settleReport', payload: { orgId, reportId } })),
  );
}
