import type { FolderProgress } from '@dmarc-ledger/vocabulary';
import type { ImapFlow } from 'imapflow';
import { expect, it } from 'vitest';
import { byteBudget } from '../src/mailbox/byte-budget.ts';
import { PATIENCE } from '../src/mailbox/connect.ts';
import { MailBackoff } from '../src/mailbox/mail-backoff.ts';
import type { MailboxStore } from '../src/mailbox/mailbox.ts';
import { Reading } from '../src/mailbox/reading.ts';

const MAILS = 200_000;

/** A folder whose UIDs are its sequence numbers. */
const folder = {
  mailbox: { exists: MAILS },
  async fetchAll(range: string) {
    const [from = 0, to = from] = range.split(':').map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => ({
      uid: from + i,
      size: 1_000,
      internalDate: arrivalOf(from + i),
    }));
  },
} as unknown as ImapFlow;

function arrivalOf(uid: number): Date {
  return new Date(1_000_000 * uid);
}

function readingOf(store: Partial<MailboxStore>, checkpoint: number, backoff = new MailBackoff()): Reading {
  const needs = { client: folder, store: store as MailboxStore, uidValidity: 1, budget: byteBudget(1_000_000) };
  return new Reading({ ...needs, backoff, patience: PATIENCE, againMs: 60_000 }, checkpoint);
}

async function progressAt(checkpoint: number): Promise<FolderProgress | undefined> {
  let saved: FolderProgress | undefined;
  await readingOf({ saveProgress: async (_, progress) => void (saved = progress) }, checkpoint).saveProgress(false);
  return saved;
}

it('shows when the newest mail arrived before that mail is fetched', async () => {
  expect(await progressAt(10)).toMatchObject({ backlog: MAILS - 10, newestAt: arrivalOf(MAILS) });
  expect(await progressAt(MAILS)).toMatchObject({ backlog: 0, newestAt: arrivalOf(MAILS) });
});

it('shows since when mail waits while none is listed, because none may be read', async () => {
  expect(await progressAt(10)).toMatchObject({ oldestWaitingAt: arrivalOf(11) });
  expect(await progressAt(MAILS)).toMatchObject({ oldestWaitingAt: null });
});

it('a folder may hold 200,000 mails that its server has not delivered so far', async () => {
  const backoff = new MailBackoff();
  for (let uid = 1; uid <= MAILS; uid += 1) backoff.postpone(uid, 60_000 + uid);
  const reading = readingOf({ unknown: async (_, uids) => [...uids] }, 0, backoff);
  while (await reading.readBatch());
  expect(reading.leftBehind()?.message).toContain('200000 mails are left behind, from UID 1:');
  expect(reading.heldUntil).toBe(backoff.dueAt(1));
});
