import { untilAborted } from '@dmarc-ledger/vocabulary';
import { makeWakeUp } from './wake-up.ts';
import { byteBudget } from './byte-budget.ts';
import type { Patience } from './connect.ts';
import type { MailboxStore, MailboxSettings } from './mailbox.ts';
import { serveMailbox, type MailboxWatcher } from './serve-mailbox.ts';
import { REMOVED, type Rhythm } from './session.ts';

/** A mailbox to serve, with its current settings. */
export interface ServedMailbox {
  id: string;
  settings: MailboxSettings;
  /** It needs attention: it is not started until its settings change. */
  isStopped: boolean;
}

export interface MailboxesNeeds {
  /** All mailboxes. Called again and again, so that mailboxes come and go while the process runs. */
  list: () => Promise<ServedMailbox[]>;
  /** Calls back when they may have changed, so that they are read at once. */
  onChange?: (changed: () => void) => { stop(): Promise<void> };
  keep(id: string): { store: MailboxStore; watcher: MailboxWatcher };
  /** Called with the id of the mailbox that the event is about, if any. */
  onFault: (message: string, error: unknown, id?: string) => void;
  /** The most that all of them together may hold in memory. */
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

/** Serves every mailbox, each in a loop of its own that no other mailbox can stop or slow. */
export async function serveMailboxes(needs: MailboxesNeeds, signal: AbortSignal): Promise<void> {
  const { list, onFault, heldBytes = HELD_BYTES, listEveryMs = LIST_EVERY_MS } = needs;
  const budget = byteBudget(heldBytes);
  const served = new Map<string, Served>();

  const begin = ({ id, settings }: ServedMailbox): Served => {
    const ending = new AbortController();
    const done = serveMailbox({ ...needs, ...needs.keep(id), settings, budget }, ending.signal)
      .catch((error: unknown) => onFault('A mailbox is no longer served.', error, id))
      .finally(() => served.delete(id));
    return { described: JSON.stringify(settings), ending, done };
  };

  const adapt = (mailboxes: ServedMailbox[]) => {
    const listed = new Map(mailboxes.map((mailbox) => [mailbox.id, mailbox]));
    for (const [id, { described, ending }] of served) {
      const mailbox = listed.get(id);
      if (!mailbox) ending.abort(REMOVED);
      else if (JSON.stringify(mailbox.settings) !== described) ending.abort(); // started again once it has ended
    }
    for (const mailbox of mailboxes) {
      if (!served.has(mailbox.id) && !mailbox.isStopped) served.set(mailbox.id, begin(mailbox));
    }
  };

  const wakeUp = makeWakeUp();
  const changes = needs.onChange?.(() => wakeUp.wake());
  const stop = () => wakeUp.wake();
  signal.addEventListener('abort', stop, { once: true });
  await untilAborted(signal, async () => {
    await list().then(adapt, (error: unknown) => onFault('The mailboxes could not be listed.', error));
    if (!signal.aborted) await wakeUp.wait(listEveryMs);
    return 0;
  });
  await changes?.stop();
  for (const { ending } of served.values()) ending.abort();
  await Promise.all([...served.values()].map(({ done }) => done));
}
