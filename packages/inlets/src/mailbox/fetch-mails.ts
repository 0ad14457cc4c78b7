import type { ImapFlow } from 'imapflow';
import { HEADER_HELD, MAX_MAIL, type FetchedMail } from './mailbox.ts';
import { faultOf } from './mailbox-fault.ts';
import type { ListedMail } from './scan.ts';

const BATCH_MAILS = 50;
const BATCH_BYTES = 4 * 1024 ** 2;

/** The first of these that are fetched together: so many, or so many bytes. Of one that is too large only the header is, alone. */
export function firstBatch(listed: readonly ListedMail[]): ListedMail[] {
  let bytes = 0;
  let count = 0;
  for (const { size } of listed) {
    bytes += size;
    if (count > 0 && (count >= BATCH_MAILS || bytes > BATCH_BYTES)) break;
    count += 1;
  }
  return listed.slice(0, count);
}

/** How much memory a mail of that size takes. */
export function heldSize(size: number): number {
  return size > MAX_MAIL ? HEADER_HELD : size;
}

/**
 * Fetches mails without marking them as read. What somebody else has removed meanwhile is not in the answer. Every mail
 * is asked for up to a limit, whatever size the server had told.
 */
export async function fetchMails(client: ImapFlow, batch: readonly ListedMail[]): Promise<FetchedMail[]> {
  const listed = new Map(batch.map((mail) => [mail.uid, mail]));
  const isLarge = batch[0]!.size > MAX_MAIL;
  const maxLength = isLarge ? HEADER_HELD : MAX_MAIL + 1;
  const fetched = new Map<number, FetchedMail>(); // by UID: a throttled command is begun anew and answers twice
  try {
    const range = [...listed.keys()].join(',');
    // no command may be sent within this loop: it would wait for the loop to end
    for await (const { uid, source } of client.fetch(range, { uid: true, source: { maxLength } }, { uid: true })) {
      const mail = listed.get(uid);
      if (!mail || !source) continue;
      const isHeaderOnly = isLarge || source.length > MAX_MAIL;
      const content = isHeaderOnly ? source.subarray(0, HEADER_HELD) : source;
      fetched.set(uid, { ...mail, content, isHeaderOnly });
    }
  } catch (error) {
    throw faultOf(error);
  }
  return batch.flatMap(({ uid }) => fetched.get(uid) ?? []);
}
