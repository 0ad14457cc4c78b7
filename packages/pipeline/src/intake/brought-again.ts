import {
  type BroughtBefore,
  BYTES_CODES,
  type ClaimedMessage,
  type FinishedMessage,
  findBroughtBefore,
  type OtherCopy,
} from '@dmarc-ledger/ledger';
import type { MessagePart, Session } from '@dmarc-ledger/schema';
import { UNSTORABLE } from './message-parts.ts';

/** A delivery that was read, and its outcome. */
export interface Ending {
  message: ClaimedMessage;
  ending: FinishedMessage;
}

/**
 * Returns the reports of other kinds that deliveries brought when they were read before, and do not bring now. One
 * whose content was not read, could not be stored, or is left to other organizations stays as it was read before, and
 * so does everything of a delivery whose bytes are not there.
 */
export async function findNoLongerBrought(
  session: Session,
  orgId: string,
  endings: readonly Ending[],
): Promise<BroughtBefore[]> {
  const again = endings.filter(
    ({ message, ending: { code } }) => message.isReread && (code === null || !BYTES_CODES.includes(code)),
  );
  const parts = new Map(again.map(({ message, ending }) => [message.id, ending.parts]));
  const before = await findBroughtBefore(session, orgId, [...parts.keys()]);
  return before.filter(({ id, messageId, payloadSha256 }) => {
    const of = parts.get(messageId) ?? [];
    const hex = payloadSha256.toString('hex');
    return !of.some((part) => part.reports.some((report) => report.id === id) || (part.sha256 === hex && isKept(part)));
  });
}

function isKept({ outcome, code, reports }: MessagePart): boolean {
  if (outcome === 'assigned' || code === 'unknown_domain' || code === UNSTORABLE.code) return true;
  return outcome === 'duplicate' && reports.length === 0;
}

/**
 * Whether a stored copy is one that its delivery brought before, under another identity: what it reports has raised its
 * events then.
 */
export function isReadAnew(
  { kind, identity, origin }: OtherCopy,
  before: readonly BroughtBefore[],
  copies: readonly OtherCopy[],
): boolean {
  const isOfDelivery = (other: OtherCopy) => other.kind === kind && other.origin.messageId === origin.messageId;
  const known = before.filter((report) => report.kind === kind && report.messageId === origin.messageId);
  if (known.some((report) => report.identity.equals(identity))) return false;
  const now = copies.filter(isOfDelivery);
  return known.some(
    (report) => report.authenticated !== false && !now.some((copy) => copy.identity.equals(report.identity)),
  );
}
