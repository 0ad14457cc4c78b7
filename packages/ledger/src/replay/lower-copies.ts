import type { Session } from '@dmarc-ledger/schema';
import { announce } from '../due-work/announce-work.ts';
import { holdsUnauthenticated } from '../intake/held-reports.ts';
import { requeueCounted, rereadCounted } from './requeue-deliveries.ts';
import { noteChanges } from '../rollups/note-changes.ts';
import type { StoredCopy } from '../reports/find-bringers.ts';
import { lowerCopies as lowerStatement } from '../reports/improve-statements.ts';

/**
 * Rates copies by less than before: the mails that had proved them do not by now. If a report has several copies, the
 * choice between them is made again. Where reports that no mail proves are held, one that counts is read again, which
 * holds it, and so are the deliveries of one that does not count. The caller has locked the reports, and its own
 * deliveries have ended.
 */
export async function lowerCopies(
  session: Session,
  orgId: string,
  lowered: readonly (StoredCopy & { authenticated: boolean | null })[],
): Promise<void> {
  if (lowered.length === 0) return;
  const rows = lowered.map(({ reportId, payloadSha256, authenticated }) => ({
    report_id: reportId,
    payload: `\\x${payloadSha256.toString('hex')}`,
    authenticated,
  }));
  const changed = await session.run<LoweredRow>(lowerStatement, [orgId, JSON.stringify(rows)]);
  const open = new Set(changed.flatMap(({ report_id, is_open }) => (is_open ? [report_id] : [])));
  await announce(
    session,
    orgId,
    [...open].map((reportId) => ({ job: 'settleReport', payload: { orgId, reportId } })),
  );
  const failed = changed.filter(({ authenticated }) => authenticated === false);
  if (failed.length > 0 && (await holdsUnauthenticated(session.db, orgId))) {
    const counted = failed.filter(({ is_counted }) => is_counted);
    await rereadCounted(session, orgId, {
      messageIds: counted.map(({ message_id }) => message_id),
      reportIds: counted.map(({ report_id }) => report_id),
    });
    await requeueCounted(session, orgId, failed.filter(({ is_counted }) => !is_counted).map(toRevision));
  }
  await noteChanges(session, orgId); // coverage shows the marks
}

function toRevision({ message_id: messageId, payload_sha256: payloadSha256 }: LoweredRow) {
  return { messageId, payloadSha256 };
}

interface LoweredRow {
  report_id: string;
  payload_sha256: Buffer;
  message_id: string;
  authenticated: boolean | null;
  is_open: boolean;
  is_counted: boolean;
}
