import type { ImapFlow } from 'imapflow';
import { heldBytes, taken, type Wanted } from './batch.ts';
import type { Patience } from './connect.ts';
import type { FetchedMail } from './mailbox.ts';
import { faultOf, MailboxFault } from './mailbox-fault.ts';
import type { ListedMail } from './scan.ts';

/** The part of a batch that a server has returned. */
export interface HandedOut {
  mails: FetchedMail[];
  /** Mails that are longer than the requested part, of which nothing is kept. */
  longer: ListedMail[];
}

/**
 * Fetches mails without marking them as read. A mail that another client has removed meanwhile is not in the answer.
 * Never holds more of a mail than requested, whatever the server sends, nor takes longer than that may take: a server
 * that sends slowly is never silent.
 */
export async function fetchMails(
  client: ImapFlow,
  batch: readonly Wanted[],
  { silenceMs, slowestBytesPerSecond }: Patience,
): Promise<HandedOut> {
  const wanted = new Map(batch.map((each) => [each.mail.uid, each]));
  // by UID: a throttled command is repeated and answers twice
  const answers = new Map<number, FetchedMail | undefined>();
  const maxLength = Math.max(...batch.map(({ atMost }) => atMost)) + 1; // so that a longer one is noticed
  let isTooSlow = false;
  const limit = setTimeout(
    () => {
      isTooSlow = true;
      client.close();
    },
    silenceMs + (heldBytes(batch) / slowestBytesPerSecond) * 1_000,
  );
  try {
    const range = [...wanted.keys()].join(',');
    // no command may be sent within this loop: it would wait for the loop to end
    for await (const { uid, source } of client.fetch(range, { uid: true, source: { maxLength } }, { uid: true })) {
      const each = wanted.get(uid);
      if (each && source) answers.set(uid, taken(each, source));
    }
  } catch (error) {
    if (!isTooSlow) throw faultOf(error);
    throw new MailboxFault('connection_lost', 'The server delivers mail too slowly.', { cause: error });
  } finally {
    clearTimeout(limit);
  }
  const mails = batch.flatMap(({ mail }) => answers.get(mail.uid) ?? []);
  const longer = batch.flatMap(({ mail }) => (answers.has(mail.uid) && !answers.get(mail.uid) ? mail : []));
  return { mails, longer };
}
