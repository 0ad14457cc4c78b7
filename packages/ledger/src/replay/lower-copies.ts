import type { Session } from '@dmarc-ledger/schema';
import { announce } from '../due-work/announce-work.ts';
import { holdsUnauthenticated } from '../intake/held-reports.ts';
import { rereadCounted } from './requeue-deliveries.ts';
import { noteChanges } from '../rollups/note-changes.ts';
import type { StoredCopy } from '../reports/find-bringers.ts';
import { lowerCopies as lowerStatement } from '../reports/improve-statements.ts';

/**
 * Rates copies by less than before: the mails that had proved them do not by now. If a report has several copies, the
 * choice between them is made again; one that counts and is to be held is read again, which holds it. The caller has
 * locked the reports.
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
  const failed = changed.filter(({ is_counted, authenticated }) => is_counted && authenticated === false);
  if (failed.length > 0 && (await holdsUnauthenticated(session.db, orgId)))
    await rereadCounted(session, orgId, {
      messageIds: failed.map(({ message_id }) => message_id),
      reportIds: failed.map(({ report_id }) => report_id),
    });
  await noteChanges(session, orgId); // coverage shows the marks
}

interface LoweredRow {
  report_id: string;
  message_id: string;
  authenticated: boolean | null;
  is_open: boolean;
  is_counted: boolean;
}
