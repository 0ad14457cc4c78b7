import {
  beginTry,
  type BegunTry,
  disableTarget,
  type EndedTry,
  endTry,
  extendTry,
  type NotificationKey,
  wasAddedAgain,
} from '@dmarc-ledger/ledger';
import type { Hold } from '@dmarc-ledger/lookups';
import type { Database } from '@dmarc-ledger/schema';
import type { Notifier, NotificationAnswer } from './notifier.ts';
import { noticeOf } from './notice.ts';

export interface NotificationNeeds {
  database: Database;
  notifier: Notifier;
  /** Receives the outcome of each try. */
  onTried?: ((kind: BegunTry['kind'], outcome: EndedTry['state']) => void) | undefined;
  /** How long to wait after the first try, the second, and so on; after the last, the notification is given up. */
  retryAfterSeconds?: readonly number[];
  leaseSeconds?: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** About a day in total. */
const RETRY_AFTER = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];
/**
 * The longest duration of a try; a longer one means that its process has died. One that waits for the answer of a mail
 * server to a whole mail has more.
 */
const LEASE_SECONDS = 60;
/** To store the answer that a mail server has given at the last moment. */
const STORE_SECONDS = 60;

/**
 * Sends one event to one target, once; on failure it schedules the next try. The target may receive it twice when this
 * process dies before it has stored the answer.
 */
export async function sendNotification(needs: NotificationNeeds, key: NotificationKey): Promise<void> {
  const { database, notifier, retryAfterSeconds = RETRY_AFTER, leaseSeconds = LEASE_SECONDS, onTried } = needs;
  const begun = await beginTry(database.db, key, leaseSeconds);
  if (!begun) return; // another worker has it, or it is finished
  const hold = (ms: number) => extendTry(database.db, begun, ms / 1_000 + STORE_SECONDS);
  const answer = await tryOnce(notifier, begun, { mostTries: retryAfterSeconds.length + 1, hold });
  const isFinal = FINAL.has(answer.code) && !(await wasAddedAgain(database.db, begun));
  const ended = endOf(answer, isFinal ? undefined : retryAfterSeconds[begun.tries - 1]);
  if (!(await endTry(database.db, begun, ended))) return;
  if (answer.code === 'gone') await disableTarget(database, begun, 'gone');
  onTried?.(begun.kind, ended.state);
}

async function tryOnce(
  notifier: Notifier,
  begun: BegunTry,
  { mostTries, hold }: { mostTries: number; hold: Hold },
): Promise<NotificationAnswer> {
  if (!begun.isServed) return { isDelivered: false, status: null, code: 'target_disabled' };
  // the workers of the earlier tries have died
  if (begun.tries > mostTries) return { isDelivered: false, status: null, code: 'interrupted' };
  return await notifier.notify(begun, begun.notificationId, noticeOf(begun, notifier.appUrl), hold);
}

/** A receiver that is gone (RFC 9110, 15.5.11) does not come back. */
const FINAL: ReadonlySet<string | null> = new Set(['gone', 'target_disabled']);

function endOf(answer: NotificationAnswer, waitSeconds: number | undefined): EndedTry {
  const { isDelivered, status, code, retryAfterSeconds } = answer;
  if (isDelivered) return { state: 'delivered', status, code };
  if (waitSeconds === undefined) return { state: 'given_up', status, code };
  return { state: 'failed', status, code, retryAfterSeconds: Math.max(waitSeconds, retryAfterSeconds ?? 0) };
}
