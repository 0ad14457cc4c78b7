import { isImproved } from '@dmarc-ledger/dmarc';
import type { Session } from '@dmarc-ledger/schema';
import { announce } from '../due-work/announce-work.ts';
import { adoptIdentities, holdCutIds, nameAsSent } from './cut-ids.ts';
import { type CopyWitness, improveCopies } from './improve-copies.ts';
import { reopenChoice } from './reopen-choice.ts';
import type { ReportCopy } from './report-facts.ts';
import { revisionRow } from './report-rows.ts';
import { findCopies, holdIdentities, insertRevisions } from './store-statements.ts';

/** A stored copy: counted, identical bytes, or another text with the same identity. */
export interface Kept {
  outcome: 'stored' | 'duplicate' | 'conflict';
  reportId: string;
}

/**
 * Adds further copies of stored reports: for identical bytes it stores what their mail says; other copies wait to be
 * compared. A copy whose report is not stored (any more) gets no result.
 */
export async function addCopies(
  session: Session,
  orgId: string,
  given: readonly ReportCopy[],
): Promise<Map<ReportCopy, Kept>> {
  if (given.length === 0) return new Map();
  await holdCutIds(session, orgId, given);
  await adoptIdentities(session, orgId, given);
  const names = await nameAsSent(session, orgId, given);
  const answers = await addNamed(
    session,
    orgId,
    given.map((copy) => names.get(copy) ?? copy),
  );
  return new Map(
    given.flatMap((copy) => {
      const kept = answers.get(names.get(copy) ?? copy);
      return kept ? [[copy, kept] as const] : [];
    }),
  );
}

async function addNamed(
  session: Session,
  orgId: string,
  copies: readonly ReportCopy[],
): Promise<Map<ReportCopy, Kept>> {
  const answers = new Map<ReportCopy, Kept>();
  const identities = copies.map(({ identity }) => identity);
  const payloads = copies.map(({ origin }) => origin.payloadSha256);
  await session.run(holdIdentities, [orgId, identities]);
  const held = await session.run<HeldCopy>(findCopies, [orgId, identities, payloads]);
  const conflicts = new Map<string, NewCopy>();
  const witnesses: CopyWitness[] = [];
  for (const copy of copies) {
    const same = held.filter(({ identity }) => identity.equals(copy.identity));
    const reportId = same[0]?.id;
    if (reportId === undefined) continue;
    const known = same.find(({ payload_sha256 }) => payload_sha256?.equals(copy.origin.payloadSha256));
    answers.set(copy, { outcome: outcomeOf(copy, known), reportId });
    const key = keyOf(reportId, copy);
    if (known ? isTelling(known, copy) : conflicts.has(key)) witnesses.push({ ...copy.origin, reportId });
    else if (!known) conflicts.set(key, { copy, reportId });
  }
  await addConflicts(session, orgId, [...conflicts.values()]);
  await improveCopies(session, orgId, witnesses);
  const again = copies.filter(
    (copy) => answers.get(copy)?.outcome === 'conflict' && !conflicts.has(keyOf(answers.get(copy)?.reportId, copy)),
  );
  await reopenChoice(
    session,
    orgId,
    again.map(({ identity, origin: { payloadSha256 } }) => ({ identity, payloadSha256 })),
  );
  return answers;
}

/** Whether the mail says more of a known copy, or has brought the bytes of one that retention had deleted. */
function isTelling(known: HeldCopy, { origin }: ReportCopy): boolean {
  return isImproved(toWitness(known), origin) || (!known.has_bytes && origin.authenticated !== false);
}

function keyOf(reportId: string | undefined, { origin }: ReportCopy): string {
  return `${reportId} ${origin.payloadSha256.toString('hex')}`;
}

/** A new copy of a stored report. */
interface NewCopy {
  copy: ReportCopy;
  reportId: string;
}

async function addConflicts(session: Session, orgId: string, copies: readonly NewCopy[]): Promise<void> {
  if (copies.length === 0) return;
  const rows = copies.map(({ copy, reportId }) => revisionRow(orgId, reportId, copy, false));
  await session.run(insertRevisions, [JSON.stringify(rows)]);
  const reportIds = new Set(copies.map(({ reportId }) => reportId));
  await announce(
    session,
    orgId,
    [...reportIds].map((reportId) => ({ job: 'settleReport', payload: { orgId, reportId } })),
  );
}

interface HeldCopy {
  id: string;
  identity: Buffer;
  counted: Buffer;
  payload_sha256: Buffer | null;
  message_id: string | null;
  authenticated: boolean | null;
  unproven: boolean | null;
  mail_received_at: Date | null;
  has_bytes: boolean;
}

function toWitness({ counted, payload_sha256, authenticated, unproven, mail_received_at }: HeldCopy) {
  const says = { authenticated, isUnproven: unproven === true, mailReceivedAt: mail_received_at };
  return { payloadSha256: payload_sha256 ?? counted, ...says };
}

/** A copy that this delivery brought counts as stored, not as a duplicate: an earlier run stored it. */
function outcomeOf({ origin }: ReportCopy, known: HeldCopy | undefined): Kept['outcome'] {
  if (!known) return 'conflict';
  if (known.message_id !== origin.messageId) return 'duplicate';
  return known.counted.equals(origin.payloadSha256) ? 'stored' : 'conflict';
}
