import type { Db, Session } from '@dmarc-ledger/schema';
import { judgeFromStart } from './judge-from-start.ts';
import { claimedColumns, type ClaimedMessage, type ClaimedRow, toClaimed } from '../intake/claimed-message.ts';
import { UNAUTHENTICATED } from '../intake/unauthenticated-codes.ts';
import { MAIL_WARNING_AT } from './improve-statements.ts';
import { CONFLICT, settleRevisions } from './store-statements.ts';

export interface HeldRevision {
  payloadSha256: Buffer;
  document: string;
  authenticated: boolean | null;
  isUnproven: boolean;
  mailReceivedAt: Date | null;
  messageId: string;
  /** The delivery with its raw bytes; null if retention has deleted them. */
  message: ClaimedMessage | null;
}

export interface HeldReport {
  id: string;
  identity: Buffer;
  domainId: string;
  day: string;
  receivedAt: Date;
  /** The counted copy. */
  payloadSha256: Buffer;
  version: number;
  /** Whether every mail that brought the counted copy failed as the reporter's. */
  isUnauthenticated: boolean;
  revisions: HeldRevision[];
  settled: boolean;
}

/** Returns a report with all its copies, each with the delivery that brought it. */
export async function findCopiesOf(db: Db, orgId: string, reportId: string): Promise<HeldReport | undefined> {
  const report = await db
    .selectFrom('report')
    .select(['id', 'identity', 'domain_id', 'day', 'received_at', 'payload_sha256', 'version', 'unauthenticated'])
    .where('org_id', '=', orgId)
    .where('id', '=', reportId)
    .executeTakeFirst();
  if (!report) return undefined;
  const rows = await db
    .selectFrom('report_revision as v')
    .leftJoin('raw_message as m', (join) =>
      join.onRef('m.org_id', '=', 'v.org_id').onRef('m.id', '=', 'v.message_id').on('m.bytes_purged_at', 'is', null),
    )
    .select(['v.payload_sha256', 'v.document', 'v.message_id', 'v.authenticated', 'v.unproven'])
    .select(['v.mail_received_at', 'v.settled'])
    .select(claimedColumns.map((column) => `m.${column}` as const))
    .where('v.org_id', '=', orgId)
    .where('v.report_id', '=', reportId)
    .execute();
  const { id, identity, domain_id: domainId, day, received_at: receivedAt, payload_sha256: payloadSha256 } = report;
  return {
    id,
    identity,
    domainId,
    day,
    receivedAt,
    payloadSha256,
    version: report.version,
    isUnauthenticated: report.unauthenticated === true,
    settled: rows.every(({ settled }) => settled),
    revisions: rows.map((row) => ({
      payloadSha256: row.payload_sha256,
      document: row.document,
      messageId: row.message_id,
      authenticated: row.authenticated,
      isUnproven: row.unproven === true,
      mailReceivedAt: row.mail_received_at,
      message: row.id === null ? null : toClaimed(row as ClaimedRow),
    })),
  };
}

/** The result of comparing a report's copies. */
export interface Settlement {
  /** Set if they differ. */
  conflict: string | null;
  /** What the mails that brought the counted copy say. */
  authenticated: boolean | null;
  /** Whether only imports brought it. */
  isUnproven: boolean;
}

/**
 * Marks these copies as compared, as far as they are unchanged since they were read, and stores the resulting warnings.
 */
export async function markSettled(
  session: Session,
  orgId: string,
  held: HeldReport,
  { conflict, authenticated, isUnproven }: Settlement,
): Promise<void> {
  const warnings = [
    ...(conflict ? [{ position: 2_000, code: CONFLICT, detail: conflict }] : []),
    ...(authenticated === false ? [{ position: MAIL_WARNING_AT, code: UNAUTHENTICATED, detail: null }] : []),
  ].map((warning) => ({ org_id: orgId, report_id: held.id, ...warning }));
  const revisions = held.revisions.map((revision) => ({
    payload: `\\x${revision.payloadSha256.toString('hex')}`,
    authenticated: revision.authenticated,
    unproven: revision.isUnproven,
    mail_received_at: revision.mailReceivedAt?.toISOString() ?? null,
  }));
  const isUnauthenticated = authenticated === false;
  await session.run(settleRevisions, [
    orgId,
    held.id,
    JSON.stringify(revisions),
    JSON.stringify(warnings),
    isUnauthenticated,
    isUnproven,
  ]);
  if (held.isUnauthenticated && !isUnauthenticated) await judgeFromStart(session, orgId, [held.id]);
}
