import { failPoint, untilAborted } from '@dmarc-ledger/vocabulary';
import type { ImapFlow } from 'imapflow';
import { makeWakeUp, type WakeUp } from './wake-up.ts';
import type { ByteBudget } from './byte-budget.ts';
import { openFolder, PATIENCE, type Patience } from './connect.ts';
import type { Credentials, MailboxStore, MailboxSettings } from './mailbox.ts';
import { faultOf, MailboxFault, throttleIn } from './mailbox-fault.ts';
import { prepareFolders, putFinishedAside } from './put-finished-aside.ts';
import { Reading } from './reading.ts';
import type { MailBackoff } from './mail-backoff.ts';
import { concernOf, sessionEnd, signIn } from './sign-in.ts';

/** The intervals of checks. IDLE is a hint that shortens the wait; these checks are made in any case. */
export interface Rhythm {
  /** A folder is searched at least this often, whatever IDLE reports. */
  pollMs: number;
  /** How often the ledger is checked for finished mails. */
  followMs: number;
  /** A session is restarted after this: in an old one, a recreated folder keeps its former UIDVALIDITY. */
  sessionMs: number;
  /** An access token that expires within this is replaced before it does. */
  tokenMs: number;
  /** A mail that the server did not return is requested again after this. */
  againMs: number;
}

const RHYTHM: Rhythm = {
  pollMs: 5 * 60_000,
  followMs: 1_000,
  sessionMs: 25 * 60_000,
  tokenMs: 5 * 60_000,
  againMs: 5 * 60_000,
};

/** The reason of a signal that ends the sessions of a mailbox that this process no longer holds. */
export const REMOVED = 'removed';

const LEAVING_MS = 10_000;
const LEAVING_REMOVED_MS = 500;
const LOGOUT_MS = 2_000;

export interface SessionNeeds {
  settings: MailboxSettings;
  store: MailboxStore;
  budget: ByteBudget;
  backoff: MailBackoff;
  patience?: Patience;
  rhythm?: Rhythm;
  /** Called after every look at the folder, with whether there was space to receive mail. */
  onLook(hasSpace: boolean, concern?: MailboxFault): Promise<void>;
}

/** Whether the server has announced mail since the folder was last checked; true at the beginning. */
interface News {
  hasCome: boolean;
}

interface OpenSession {
  client: ImapFlow;
  wakeUp: WakeUp;
  news: News;
  credentials: Credentials;
  endsAt: number;
}

/** One session on a mailbox, until it has to be restarted, another process holds the mailbox, or the signal ends it. */
export async function runSession(needs: SessionNeeds, signal: AbortSignal): Promise<void> {
  const { rhythm = RHYTHM } = needs;
  const { client, credentials } = await signIn(needs, signal);
  const wakeUp = makeWakeUp();
  const news: News = { hasCome: true };
  let throttled: MailboxFault | undefined;
  const close = () => client.close();
  const leave = () => {
    wakeUp.wake();
    // the current batch may be finished
    setTimeout(close, signal.reason === REMOVED ? LEAVING_REMOVED_MS : LEAVING_MS).unref();
  };
  signal.addEventListener('abort', leave, { once: true });
  client.on('close', () => wakeUp.wake());
  client.on('exists', () => {
    news.hasCome = true;
    wakeUp.wake();
  });
  client.on('log', (entry) => {
    throttled ??= throttleIn(entry);
    if (throttled) close();
  });
  try {
    await serve(needs, { client, wakeUp, news, credentials, endsAt: sessionEnd(credentials, rhythm) }, signal);
    await Promise.race([client.logout(), new Promise((resolve) => setTimeout(resolve, LOGOUT_MS).unref())]);
  } catch (error) {
    if (!signal.aborted) throw throttled ?? faultOf(error);
  } finally {
    signal.removeEventListener('abort', leave);
    client.close();
  }
}

async function serve(needs: SessionNeeds, session: OpenSession, signal: AbortSignal): Promise<void> {
  const { settings, store, rhythm = RHYTHM, patience = PATIENCE } = needs;
  const { client, news, credentials, endsAt } = session;
  const concern = concernOf(credentials);
  const { uidValidity, permanentFlags } = await openFolder(client, settings.folder);
  await failPoint('F1');
  const manner = await prepareFolders(client, settings, permanentFlags);
  needs.backoff.beginSession();
  const reading = new Reading(
    { ...needs, client, uidValidity, patience, againMs: rhythm.againMs },
    await store.open(uidValidity),
  );
  let lookedAt = -Infinity;
  let actedAt = -Infinity;
  await untilAborted(signal, async () => {
    if (performance.now() >= endsAt || !(await store.hold())) return null;
    if (!client.usable) throw new MailboxFault('connection_lost', 'The server ended the connection.');
    if (performance.now() - lookedAt >= rhythm.pollMs) {
      await client.noop();
      if (reading.hasHeld) reading.rewind();
      news.hasCome = true;
      lookedAt = performance.now();
    }
    const hasSpace = await store.hasSpace();
    const wasNew = news.hasCome;
    if (wasNew && hasSpace) {
      news.hasCome = false; // changes announced while reading are looked for afterwards
      if (await reading.readBatch()) news.hasCome = true;
    }
    // deferred mails come last, in every session, as soon as they may be requested again
    if (hasSpace && !news.hasCome && reading.heldUntil <= performance.now()) {
      reading.rewind();
      news.hasCome = true;
    }
    // while there is more to read, finished mails are looked for now and then, not after each batch
    const isTime = !news.hasCome || !hasSpace || performance.now() - actedAt >= rhythm.followMs;
    const hasActed = isTime && (await putFinishedAside(needs, client, manner, uidValidity));
    if (isTime) actedAt = performance.now();
    if (wasNew || hasActed) await reading.saveProgress(news.hasCome && hasSpace);
    await needs.onLook(hasSpace, concern ?? reading.leftBehind());
    if ((news.hasCome && hasSpace) || hasActed) return 0;
    const isFollowing = !hasSpace || (await store.hasUnfinished(uidValidity));
    const nextLookAt = Math.min(lookedAt + rhythm.pollMs, reading.heldUntil, endsAt);
    await listen(session, patience, isFollowing ? rhythm.followMs : nextLookAt - performance.now());
    return 0;
  });
}

/**
 * Waits until the server announces a change, or the time is over. IDLE is ended by a command and restarted before a
 * server without news counts as silent. The client's own `maxIdleTime` is not used: a command sent while it restarts
 * may wait for ever.
 */
async function listen({ client, wakeUp }: OpenSession, { idleMs }: Patience, ms: number): Promise<void> {
  const end = performance.now() + ms;
  for (;;) {
    if (!client.idling) void client.idle().catch(() => undefined); // its failure shows in the next command
    const left = Math.max(end - performance.now(), 0);
    if ((await wakeUp.wait(Math.min(left, idleMs))) || left <= idleMs) return;
    await client.noop();
  }
}
