import {
  type CopyWitness,
  findHeldCopies,
  findTakenContents,
  type HeldContent,
  holdReports,
  improveCopies,
} from '@dmarc-ledger/ledger';
import type { MessagePart, Session } from '@dmarc-ledger/schema';
import { isImproved } from '@dmarc-ledger/dmarc';
import { isAuthenticated } from './copy-origin.ts';
import { isRebuilt } from './hold-reports.ts';
import type { OpenedDelivery } from './open-delivery.ts';

/** A document whose content is known, which is not read again. */
export interface Repeat {
  delivery: OpenedDelivery;
  /** Where the document is in it. */
  path: string;
  sha256: string;
  /** True if an earlier delivery brought it, false if one that is stored together with this one did. */
  isStored: boolean;
}

/**
 * Locks the reports that repeats are about, in a transaction that then stores: before it locks sources and totals, in
 * the order that settling and purging use. Returns their copies: later in the transaction, the first delivery of a
 * content may not name its reports any more, as it was read again meanwhile.
 *
 * @throws if a content is not known any more, because its report was removed meanwhile: it is read at the next try.
 */
export async function holdRepeated(
  session: Session,
  orgId: string,
  repeats: readonly Repeat[],
): Promise<readonly HeldContent[]> {
  if (repeats.length === 0) return [];
  const contents = contentsOf(repeats);
  const found = await findHeldCopies(session, orgId, contents);
  await holdReports(
    session,
    orgId,
    found.map(({ reportId }) => reportId),
  );
  const held = await findHeldCopies(session, orgId, contents);
  const stored = repeats.filter(({ isStored }) => isStored).map(({ sha256 }) => sha256);
  const known = await findTakenContents(session.db, orgId, stored);
  if (!stored.every((sha256) => known.has(sha256))) throw new Error('The stored content was removed meanwhile.');
  return held;
}

/**
 * Locks the reports that a delivery names and that earlier transactions have stored. When a report is removed, its
 * deliveries are read again, but not one that is being read.
 *
 * @throws if one was removed meanwhile: its delivery would end with a report that is not there. It is read again.
 */
export async function holdNamed(session: Session, orgId: string, parts: readonly MessagePart[]): Promise<void> {
  const named = parts.filter(({ kind }) => kind === 'rua').flatMap(({ reports }) => reports.map(({ id }) => id));
  if (named.length === 0) return;
  const held = await holdReports(session, orgId, named);
  if (!named.every((id) => held.has(id))) throw new Error('A report of the delivery was removed while it was read.');
}

/**
 * Records, for mails that brought nothing new, the sender and time of receipt with the reports they repeat, and where
 * their bytes are by now, if these were deleted: of those that `holdRepeated` has locked, and those that were stored
 * together with them.
 */
export async function witnessRepeats(
  session: Session,
  orgId: string,
  repeats: readonly Repeat[],
  held: readonly HeldContent[],
): Promise<void> {
  const telling = repeats.filter(({ delivery }) => !isRebuilt(delivery));
  if (telling.length === 0) return;
  const beside = telling.filter(({ isStored }) => !isStored);
  const fresh = beside.length > 0 ? await findHeldCopies(session, orgId, contentsOf(beside)) : [];
  const witnesses = telling.flatMap(({ delivery, path, sha256, isStored }) =>
    (isStored ? held : fresh)
      .filter(({ payloadSha256 }) => payloadSha256.toString('hex') === sha256)
      .filter(({ isUnproven, hasBytes }) => isUnproven || !hasBytes || isTelling(delivery))
      .map((copy) => {
        const authenticated = isAuthenticated(delivery, copy.metadata);
        return {
          copy,
          says: {
            ...copy,
            authenticated,
            mailReceivedAt: delivery.mailReceivedAt,
            isUnproven: isRebuilt(delivery),
            messageId: delivery.message.id,
            document: path,
          } satisfies CopyWitness,
        };
      }),
  );
  await improveCopies(
    session,
    orgId,
    witnesses
      .filter(({ copy, says }) => isImproved(copy, says) || (!copy.hasBytes && says.authenticated !== false))
      .map(({ says }) => says),
  );
}

/** Whether the owner brought it, or its mail shows its sender or its time of receipt. */
function isTelling({ message, mailReceivedAt, mailFacts }: OpenedDelivery): boolean {
  return message.source !== 'mailbox' || mailReceivedAt !== null || Boolean(mailFacts?.authservId);
}

function contentsOf(repeats: readonly Repeat[]): Buffer[] {
  return [...new Set(repeats.map(({ sha256 }) => sha256))].map((sha256) => Buffer.from(sha256, 'hex'));
}
