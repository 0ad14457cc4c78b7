import { failPoint } from '@dmarc-ledger/vocabulary';
import type { ImapFlow } from 'imapflow';
import type { Action, MailboxSettings } from './mailbox.ts';
import { faultOf, MailboxFault } from './mailbox-fault.ts';
import { stillThere } from './scan.ts';

export const KEYWORDS = { processed: '$Ingested', refused: '$Refused' };

/** How mails are put aside in this mailbox: as its owner wishes, if its server can do that to those mails alone. */
export type Manner = 'move' | 'keyword' | 'leave';

/**
 * Without MOVE (RFC 6851) a mail is copied, marked and expunged; without UIDPLUS (RFC 4315) that would also expunge
 * mails that other clients have marked, so it is not done.
 */
export function mannerOf(
  { afterIntake }: MailboxSettings,
  capabilities: ReadonlyMap<string, unknown>,
  permanentFlags: ReadonlySet<string>,
): Manner {
  if (afterIntake === 'move' && (capabilities.has('MOVE') || capabilities.has('UIDPLUS'))) return 'move';
  if (afterIntake !== 'leave' && (permanentFlags.has('\\*') || permanentFlags.has(KEYWORDS.processed)))
    return 'keyword';
  return 'leave';
}

/** Creates the folder unless it exists. */
export async function ensureFolder(client: ImapFlow, folder: string): Promise<void> {
  const found = await client.status(folder, { messages: true }).catch(() => false);
  if (found) return;
  try {
    await client.mailboxCreate(folder);
  } catch (error) {
    if (!client.usable) throw faultOf(error);
    throw new MailboxFault('folder_missing', `The folder ${folder} does not exist and cannot be created.`, {
      cause: error,
    });
  }
}

/**
 * Puts mails aside. The outcome of each is taken from the server's answer (COPYUID), otherwise from the folder: a MOVE
 * of messages that another client has removed succeeds just the same.
 */
export async function putAside(
  client: ImapFlow,
  manner: Manner,
  uids: readonly number[],
  { folder, keyword }: { folder: string; keyword: string },
): Promise<Map<Action, number[]>> {
  if (manner === 'leave') return new Map([['left', [...uids]]]);
  const range = uids.join(',');
  if (manner === 'keyword') {
    await succeeded(client.messageFlagsAdd(range, [keyword], { uid: true, silent: true }), `set ${keyword}`);
    return new Map([['flagged', [...uids]]]);
  }
  const moving = client.messageMove(range, folder, { uid: true });
  await failPoint('F7');
  const { uidMap } = await succeeded(moving, `move mail to ${folder}`);
  await failPoint('F8');
  if (uidMap) {
    const gone = uids.filter((uid) => !uidMap.has(uid));
    return new Map([
      ['moved', uids.filter((uid) => uidMap.has(uid))],
      ['gone', gone],
    ]);
  }
  const left = await stillThere(client, uids);
  if (left.size === uids.length) throw new MailboxFault('command_failed', `The server moved nothing to ${folder}.`);
  return new Map([['moved', uids.filter((uid) => !left.has(uid))]]);
}

/** The client resolves with false for a refused command. */
async function succeeded<T>(command: Promise<T | false | undefined>, action: string): Promise<T> {
  let answer;
  try {
    answer = await command;
  } catch (error) {
    throw faultOf(error);
  }
  if (!answer) throw new MailboxFault('command_failed', `The server refused to ${action}.`);
  return answer;
}
