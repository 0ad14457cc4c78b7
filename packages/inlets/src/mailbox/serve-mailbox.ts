import { untilAborted } from '@dmarc-ledger/vocabulary';
import { failuresAfter, pauseMs, type Course } from './backoff.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { Patience } from './connect.ts';
import type { MailboxStore, MailboxSettings } from './mailbox.ts';
import { withStoreFaults } from './store-fault.ts';
import { faultOf, type MailboxFault } from './mailbox-fault.ts';
import { MailBackoff } from './mail-backoff.ts';
import { runSession, type Rhythm } from './session.ts';

const LONGEST_PAUSE_MS = 5 * 60_000;
/** The wait while the ledger is down: it is checked before the mail server, which is not kept busy. */
const LONGEST_LEDGER_PAUSE_MS = 15_000;
/** The interval of checks whether another process still serves the mailbox. */
const STANDBY_MS = 15_000;

/** The events of a mailbox while it is served. */
export interface MailboxWatcher {
  attempting(): Promise<void>;
  /** A concern is a future fault. */
  looked(hasSpace: boolean, concern?: MailboxFault): Promise<void>;
  /** `retryAt` is null when there is no automatic retry. */
  failed(fault: MailboxFault, retryAt: Date | null): Promise<void>;
}

export interface MailboxNeeds {
  settings: MailboxSettings;
  store: MailboxStore;
  watcher: MailboxWatcher;
  /** Shared by all mailboxes of the process. */
  budget: ByteBudget;
  patience?: Patience;
  rhythm?: Rhythm;
  standbyMs?: number;
}

/**
 * Serves a mailbox, session after session, until the signal ends it or the server rejects the credentials: those are
 * not tried again, because repeated tries lock accounts. Any other fault is retried with growing waits.
 */
export async function serveMailbox(needs: MailboxNeeds, signal: AbortSignal): Promise<void> {
  const { watcher, standbyMs = STANDBY_MS } = needs;
  const store = withStoreFaults(needs.store);
  const backoff = new MailBackoff();
  let failures = 0;
  let ledgerFailures = 0;
  await untilAborted(signal, async () => {
    let course: Course | undefined;
    try {
      if (!(await store.hold())) return standbyMs;
      await watcher.attempting();
      ledgerFailures = 0;
      course = { hasProgress: false };
      await runSession({ ...needs, ...recording(course, store, watcher), backoff }, signal);
      failures = 0;
      return 0;
    } catch (error) {
      if (signal.aborted) return null;
      const fault = faultOf(error);
      if (course) failures = failuresAfter(failures, course, performance.now());
      else ledgerFailures += 1;
      const usualMs = course ? pauseMs(failures, LONGEST_PAUSE_MS) : pauseMs(ledgerFailures, LONGEST_LEDGER_PAUSE_MS);
      const waitMs = Math.max(usualMs, fault.waitMs);
      const retryAt = fault.retryable ? new Date(Date.now() + waitMs) : null;
      await watcher.failed(fault, retryAt).catch(() => undefined); // the ledger may be what failed
      return fault.retryable ? waitMs : null;
    }
  });
}

/** Wraps the store and the watcher of a session so that they record its course, by which a failure is judged. */
function recording(course: Course, store: MailboxStore, watcher: MailboxWatcher) {
  const progress = () => void (course.hasProgress = true);
  return {
    store: {
      ...store,
      receive: (...mails: Parameters<MailboxStore['receive']>) => store.receive(...mails).then(progress),
      acted: (...mails: Parameters<MailboxStore['acted']>) => store.acted(...mails).then(progress),
    },
    async onLook(hasSpace: boolean, concern?: MailboxFault) {
      course.lookedAt ??= performance.now();
      await watcher.looked(hasSpace, concern);
    },
  };
}
