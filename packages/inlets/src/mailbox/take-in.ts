import { failPoint } from '@dmarc-ledger/vocabulary';
import type { ImapFlow } from 'imapflow';
import { heldBytes, type Wanted } from './batch.ts';
import type { ByteBudget } from './byte-budget.ts';
import { keepAwake, type Patience } from './connect.ts';
import { fetchMails } from './fetch-mails.ts';
import type { UidValidity, MailboxStore } from './mailbox.ts';
import { MailboxFault } from './mailbox-fault.ts';
import type { MailBackoff } from './mail-backoff.ts';
import { stillThere, type ListedMail } from './scan.ts';

export interface TakingNeeds {
  client: ImapFlow;
  store: MailboxStore;
  uidValidity: UidValidity;
  /** Shared by all mailboxes of the process. */
  budget: ByteBudget;
  backoff: MailBackoff;
  patience: Patience;
  /** A mail that could not be fetched is tried again after this, and the others continue. */
  againMs: number;
}

/** The mails of a batch that are not in the ledger and still in the mailbox. */
export interface NotTaken {
  /** To be fetched alone. */
  longer: ListedMail[];
  /** The server did not return them. */
  withheld: ListedMail[];
}

/** Fetches a batch as soon as the budget allows it, and enters it in the ledger. */
export async function takeIn(needs: TakingNeeds, batch: readonly Wanted[]): Promise<NotTaken> {
  const { client, store, uidValidity, budget, patience } = needs;
  const endWaiting = keepAwake(client, patience);
  return await budget.within(heldBytes(batch), async () => {
    endWaiting();
    const { mails, ...notTaken } = await fetchWarily(needs, batch);
    await failPoint('F3');
    if (mails.length > 0) await store.receive(uidValidity, mails);
    return notTaken;
  });
}

async function fetchWarily({ client, backoff, patience, againMs }: TakingNeeds, batch: readonly Wanted[]) {
  if (!client.usable) throw new MailboxFault('connection_lost', 'The server ended the connection.');
  for (const { mail } of batch) backoff.suspect(mail.uid, againMs);
  const { mails, longer } = await fetchMails(client, batch, patience);
  for (const { uid } of mails) backoff.acquit(uid);
  for (const { uid } of longer) backoff.knowAsLonger(uid);
  const answered = new Set([...mails, ...longer].map(({ uid }) => uid));
  const missing = batch.map(({ mail }) => mail).filter(({ uid }) => !answered.has(uid));
  const present = await stillThere(
    client,
    missing.map(({ uid }) => uid),
  );
  for (const { uid } of missing) if (!present.has(uid)) backoff.acquit(uid);
  const withheld = missing.filter(({ uid }) => present.has(uid));
  for (const { uid } of withheld) backoff.postpone(uid, againMs);
  return { mails, longer, withheld };
}
