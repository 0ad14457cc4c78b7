import type { BlobStore } from '@dmarc-ledger/blobs';
import { findPressure, findTakenToday, isFlooded, type MailboxDay, type MailboxKey } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';

/** The load that is accepted before mail is left in the mailbox, which is the best buffer. */
export interface Bearing {
  /** Announced jobs that are not yet in the queue. */
  outbox: number;
  /** Deliveries waiting to be read. */
  waiting: number;
  /** Free part of the disk that holds the blobs. */
  freeDisk: number;
  /** Time of a commit, the 95th percentile of the last minute, in milliseconds. */
  commitMs: number;
  /**
   * The most that others may send to one mailbox within an hour. Mail that was there when the mailbox was added does
   * not count.
   */
  mailsAnHour: number;
  /**
   * The most that all mailboxes of an organization may bring in a day (UTC), whatever their servers say of the age of
   * mail: all of it counts, again whenever it is fetched again. (rules, organizations/mail-in-a-day)
   */
  aDay: MailboxDay;
}

export const BEARING: Bearing = {
  outbox: 5_000,
  waiting: 10_000,
  freeDisk: 0.15,
  commitMs: 1_000,
  mailsAnHour: 20_000,
  aDay: { mails: 1_000_000, bytes: 50_000_000_000 },
};

/** The limit that mail waits for: of the whole ledger, of its organization's day, or of its mailbox's hour. */
export type WaitReason = 'ledger_full' | 'day_full' | 'hour_full';

export interface Pressure {
  /** Null while a mailbox need not wait; once the ledger was full, again at half of the limit. */
  reasonToWait(key: MailboxKey): Promise<WaitReason | null>;
}

const ASKED_EVERY_MS = 1_000;
const FLOOD_ASKED_EVERY_MS = 10_000;

/** Watches the load, measured once a second however many mailboxes ask. */
export function watchPressure(
  { database, blobs }: { database: Database; blobs: BlobStore },
  bearing: Bearing = BEARING,
): Pressure {
  let isHigh = false;
  let asked = { at: -Infinity, answer: Promise.resolve(true) };
  const flooded = new Map<string, { at: number; answer: Promise<WaitReason | null> }>();

  const measure = async () => {
    const { outbox, waiting } = await findPressure(database.db, bearing);
    const { commitMs, isExhausted } = database.vitals.lastMinute();
    const part = isHigh ? 0.5 : 1;
    const free = await blobs.freeSpace();
    isHigh =
      isExhausted ||
      outbox > bearing.outbox * part ||
      waiting > bearing.waiting * part ||
      commitMs > bearing.commitMs * part ||
      (free !== null && free < bearing.freeDisk);
    return !isHigh;
  };

  const limitReached = async (key: MailboxKey): Promise<WaitReason | null> => {
    const { mails, bytes } = await findTakenToday(database.db, key.orgId);
    if (mails >= bearing.aDay.mails || bytes >= bearing.aDay.bytes) return 'day_full';
    return (await isFlooded(database.db, key, bearing.mailsAnHour)) ? 'hour_full' : null;
  };

  const floods = async (key: MailboxKey) => {
    const last = flooded.get(key.mailboxId);
    if (last && performance.now() - last.at < FLOOD_ASKED_EVERY_MS) return await last.answer;
    const answer = limitReached(key);
    flooded.set(key.mailboxId, { at: performance.now(), answer });
    return await answer;
  };

  return {
    async reasonToWait(key) {
      if (performance.now() - asked.at >= ASKED_EVERY_MS) asked = { at: performance.now(), answer: measure() };
      return (await asked.answer) ? await floods(key) : 'ledger_full';
    },
  };
}
