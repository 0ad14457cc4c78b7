import { setTimeout as sleep } from 'node:timers/promises';
import { byteBudget } from './byte-budget.ts';
import type { Patience } from './connect.ts';
import type { MailboxKeeper, MailboxSettings } from './mailbox.ts';
import { serveMailbox, type MailboxWatcher } from './serve-mailbox.ts';
import type { Rhythm } from './session.ts';

/** A mailbox to be served, as it is described now. */
export interface ServedMailbox {
  id: string;
  settings: MailboxSettings;
  /** It needs a person: it is not begun until it is described anew. */
  isStopped: boolean;
}

export interface MailboxesNeeds {
  /** All there are. Asked again and again, so that mailboxes come and go while the process runs. */
  list: () => Promise<ServedMailbox[]>;
  keep(id: string): { keeper: MailboxKeeper; watcher: MailboxWatcher };
  onFault: (message: string, error: unknown) => void;
  /** What all of them together may hold in memory. */
  heldBytes?: number;
  patience?: Patience;
  rhythm?: Rhythm;
  standbyMs?: number;
  listEveryMs?: number;
}

interface Served {
  described: string;
  ending: AbortController;
  done: Promise<void>;
}

const LIST_EVERY_MS = 5_000;
const HELD_BYTES = 48 * 1024 ** 2;

/** Serves every mailbox there is, each in a loop of its own that nothing of another can stop or slow. */
export async function serveMailboxes(needs: MailboxesNeeds, signal: AbortSignal): Promise<void> {
  const { list, onFault, heldBytes = HELD_BYTES, listEveryMs = LIST_EVERY_MS } = needs;
  const budget = byteBudget(heldBytes);
  const served = new Map<string, Served>();

  const begin = ({ id, settings }: ServedMailbox): Served => {
    const ending = new AbortController();
    const done = serveMailbox({ ...needs, ...needs.keep(id), settings, budget }, ending.signal)
      .catch((error: unknown) => onFault('A mailbox is no longer served.', error))
      .finally(() => served.delete(id));
    return { described: JSON.stringify(settings), ending, done };
  };

  const adapt = (mailboxes: ServedMailbox[]) => {
    const listed = new Map(mailboxes.map((mailbox) => [mailbox.id, mailbox]));
    for (const [id, { described, ending }] of served) {
      if (JSON.stringify(listed.get(id)?.settings) !== described) ending.abort(); // begun anew once it has ended
    }
    for (const mailbox of mailboxes) {
      if (!served.has(mailbox.id) && !mailbox.isStopped) served.set(mailbox.id, begin(mailbox));
    }
  };

  while (!signal.aborted) {
    await list().then(adapt, (error: unknown) => onFault('The mailboxes could not be listed.', error));
    await sleep(listEveryMs, undefined, { signal }).catch(() => undefined);
  }
  for (const { ending } of served.values()) ending.abort();
  await Promise.all([...served.values()].map(({ done }) => done));
}
