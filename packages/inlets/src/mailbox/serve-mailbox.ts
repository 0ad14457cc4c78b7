import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteBudget } from './byte-budget.ts';
import type { Patience } from './connect.ts';
import type { MailboxKeeper, MailboxSettings } from './mailbox.ts';
import { tellingKeeper } from './keeper-fault.ts';
import { faultOf, type MailboxFault } from './mailbox-fault.ts';
import type { Reluctant } from './reading.ts';
import { runSession, type Rhythm } from './session.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** The same while the ledger is away: it is asked first, so no mail server is kept busy. */
const LONGEST_LEDGER_PAUSE_MS = 15_000;
/** Between two looks at whether somebody else still serves the mailbox. */
const STANDBY_MS = 15_000;

/** What is told of a mailbox while it is served. */
export interface MailboxWatcher {
  attempting(): Promise<void>;
  /** A concern is what will be a fault later. */
  looked(hasRoom: boolean, concern?: MailboxFault): Promise<void>;
  /** `retryAt` is null when it will not be tried again by itself. */
  failed(fault: MailboxFault, retryAt: Date | null): Promise<void>;
}

export interface MailboxNeeds {
  settings: MailboxSettings;
  keeper: MailboxKeeper;
  watcher: MailboxWatcher;
  /** Shared by all mailboxes of the process. */
  budget: ByteBudget;
  patience?: Patience;
  rhythm?: Rhythm;
  standbyMs?: number;
}

/**
 * Serves a mailbox, session after session, until the signal ends it or the server refuses who we are: that is not tried
 * again, because it locks accounts. Whatever else goes wrong is tried again, ever more seldom.
 */
export async function serveMailbox(needs: MailboxNeeds, signal: AbortSignal): Promise<void> {
  const { watcher, standbyMs = STANDBY_MS } = needs;
  const keeper = tellingKeeper(needs.keeper);
  const reluctant: Reluctant = new Map();
  let failures = 0;
  while (!signal.aborted) {
    let longestMs = LONGEST_LEDGER_PAUSE_MS;
    try {
      if (!(await keeper.hold())) {
        await pause(standbyMs, signal);
        continue;
      }
      await watcher.attempting();
      longestMs = LONGEST_PAUSE_MS;
      const onLook = async (hasRoom: boolean, concern?: MailboxFault) => {
        failures = 0;
        await watcher.looked(hasRoom, concern);
      };
      await runSession({ ...needs, keeper, reluctant, onLook }, signal);
    } catch (error) {
      if (signal.aborted) return;
      const fault = faultOf(error);
      failures += 1;
      const waitMs = Math.max(pauseMs(failures, longestMs), fault.waitMs);
      const retryAt = fault.isHopeless ? null : new Date(Date.now() + waitMs);
      await watcher.failed(fault, retryAt).catch(() => undefined); // the ledger may be what failed
      if (fault.isHopeless) return;
      await pause(waitMs, signal);
    }
  }
}

/** From a second to the longest, doubling, with full jitter above the first half second, so that many do not return at once. */
function pauseMs(failures: number, longestMs: number): number {
  const most = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), longestMs);
  return FIRST_PAUSE_MS / 2 + Math.random() * most;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
