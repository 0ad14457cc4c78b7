import type { ImapFlow } from 'imapflow';
import { faultOf, MailboxFault } from './mailbox-fault.ts';

/** A listed message: its position, its size in bytes, and its time of receipt. */
export interface ListedMail {
  uid: number;
  size: number;
  arrivedAt: Date | null;
}

/**
 * The next messages above a UID, at most `limit`, in order, with their sizes. The folder is read in pieces, so that a
 * folder of a million messages needs no more memory than a small one. Sequence numbers shift when other clients remove
 * messages; UIDs do not, so each piece begins by finding its place. (RFC 9051, 2.3.1)
 */
export async function listAbove(client: ImapFlow, uid: number, limit: number): Promise<ListedMail[]> {
  const total = messagesIn(client);
  const first = await firstAbove(client, uid, total);
  if (first > total) return [];
  const listed = await list(client, `${first}:${Math.min(first + limit - 1, total)}`);
  return listed.filter((mail) => mail.uid > uid).toSorted((a, b) => a.uid - b.uid);
}

/** The messages above a UID, of which only the first is listed, and the newest message of the folder. */
export interface Beyond {
  count: number;
  first?: ListedMail | undefined;
  newest?: ListedMail | undefined;
}

export async function lookAbove(client: ImapFlow, uid: number): Promise<Beyond> {
  const total = messagesIn(client);
  const [newest] = total > 0 ? await list(client, String(total)) : [];
  if (newest && newest.uid <= uid) return { count: 0, newest };
  const at = await firstAbove(client, uid, total);
  const [first] = at > total ? [] : await list(client, String(at));
  return { count: total - at + 1, first, newest };
}

/** The UIDs that the folder still has: requested again, because a missing answer alone proves nothing. */
export async function stillThere(client: ImapFlow, uids: readonly number[]): Promise<Set<number>> {
  if (uids.length === 0) return new Set();
  const found = await client.search({ uid: uids.join(',') }, { uid: true });
  if (!found) throw new MailboxFault('command_failed', 'The server refused to search the folder.');
  return new Set(found);
}

export function messagesIn({ mailbox }: ImapFlow): number {
  if (!mailbox) throw new MailboxFault('connection_lost', 'The folder is no longer open.');
  return mailbox.exists;
}

/** The lowest sequence number whose UID is above the given one, by binary search: UIDs rise with sequence numbers. */
async function firstAbove(client: ImapFlow, uid: number, total: number): Promise<number> {
  let low = 1;
  let high = total + 1;
  while (low < high) {
    // usually all messages are new, or none is: check the ends first
    const middle = low === 1 && high === total + 1 ? total : Math.floor((low + high) / 2);
    const [at] = await list(client, String(middle));
    if (at && at.uid <= uid) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function list(client: ImapFlow, range: string): Promise<ListedMail[]> {
  try {
    const found = await client.fetchAll(range, { uid: true, size: true, internalDate: true });
    return found.map(({ uid, size, internalDate }) => ({ uid, size: size ?? 0, arrivedAt: dateOf(internalDate) }));
  } catch (error) {
    if (client.usable && messagesIn(client) === 0) return []; // another client has emptied it meanwhile
    throw faultOf(error);
  }
}

function dateOf(value: Date | string | undefined): Date | null {
  const date = value === undefined ? null : new Date(value);
  return date && !Number.isNaN(date.getTime()) ? date : null;
}
