import type { BlobStore } from '@dmarc-ledger/blobs';
import { enterMails, type MailboxKey } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { failPoint, type Refusal, present } from '@dmarc-ledger/vocabulary';
import { enterDurably } from '../intake/enter-durably.ts';
import type { IntakeObserver } from '../intake/observer.ts';

/** A fetched mail, with its place in the mailbox. */
export interface ArrivedMail {
  uid: number;
  content: Buffer;
  /** In bytes, as the server reports it. */
  size: number;
  arrivedAt: Date | null;
  /** It is too large; only its header was fetched. */
  isHeaderOnly: boolean;
}

/**
 * Stores mails durably, then enters them in the ledger together with their places; only then may they be changed in the
 * mailbox. The same bytes again, at any place, are the same delivery.
 */
export async function receiveMails(
  { database, blobs, observer }: { database: Database; blobs: BlobStore; observer?: IntakeObserver | undefined },
  key: MailboxKey,
  uidValidity: number,
  mails: readonly ArrivedMail[],
): Promise<void> {
  const stored = await blobs.putAll(mails.map(({ content }) => content));
  await failPoint('F4');
  const entries = mails.map(({ uid, arrivedAt, isHeaderOnly, size }, i) => ({
    ...present(stored[i]),
    uid,
    arrivedAt,
    source: 'mailbox' as const,
    name: null,
    mailboxId: key.mailboxId,
    refusal: isHeaderOnly ? tooLarge(size) : undefined,
  }));
  const put = mails.map(({ content }, i) => ({ content, sha256: present(stored[i]).sha256 }));
  const received = await enterDurably({ database, blobs }, put, async (session) => {
    const entered = await enterMails(session, key, uidValidity, entries);
    await failPoint('F5');
    return entered;
  });
  received.forEach(({ fresh }, i) =>
    observer?.received('mailbox', { fresh, refusal: present(entries[i]).refusal?.code }),
  );
}

function tooLarge(size: number): Refusal {
  return { code: 'message_too_large', message: `The mail has ${size} bytes; only its header was fetched.` };
}
