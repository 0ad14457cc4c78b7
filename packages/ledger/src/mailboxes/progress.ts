import type { FolderProgress } from '@dmarc-ledger/vocabulary';
import type { Db, MailboxState } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { livingClaimants } from '../intake/claimant.ts';
import type { MailboxKey } from './mailboxes.ts';

/** The current problem of a mailbox, for its operator. */
export interface Trouble {
  state: Extract<MailboxState, 'retrying' | 'throttled' | 'stopped'>;
  code: string;
  message: string;
  retryAt: Date | null;
}

/**
 * Locks a mailbox for serving, in the name of a claimant. Returns false while another claimant holds it; the lock ends
 * with its holder's session.
 */
export async function holdMailbox(db: Db, key: MailboxKey, claimant: number): Promise<boolean> {
  const { numUpdatedRows } = await progressOf(db, key)
    .set({ holder: claimant })
    .where((eb) =>
      eb.or([eb('holder', 'is', null), eb('holder', '=', claimant), sql<boolean>`holder not in (${livingClaimants})`]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function noteAttempt(db: Db, key: MailboxKey): Promise<void> {
  await progressOf(db, key)
    .set({ attempted_at: sql<Date>`now()` })
    .execute();
}

/**
 * Records that the folder was read without a problem; `held` means that mail has to wait. The remark is a problem that
 * is expected later, or what mail waits for.
 */
export async function noteSuccess(
  db: Db,
  key: MailboxKey,
  state: 'connected' | 'held',
  remark?: Pick<Trouble, 'code' | 'message'>,
): Promise<void> {
  const now = sql<Date>`now()`;
  await progressOf(db, key)
    .set({
      state,
      succeeded_at: now,
      attempted_at: now,
      fault_code: remark?.code ?? null,
      fault: remark?.message ?? null,
      failing_since: null,
      retry_at: null,
    })
    .execute();
}

/**
 * Records a problem. A mailbox that has been added again or tested since the attempt does not stop: the problem may be
 * one of what was there before, and the next attempt shows that.
 */
export async function noteTrouble(db: Db, key: MailboxKey, { state, code, message, retryAt }: Trouble): Promise<void> {
  let progress = progressOf(db, key);
  if (state === 'stopped') progress = progress.where('attempted_at', 'is not', null);
  await progress
    .set({
      state,
      fault_code: code,
      fault: message,
      retry_at: retryAt,
      failing_since: sql<Date>`coalesce(failing_since, now())`,
    })
    .execute();
}

/**
 * Only applies to the ledger's current uidValidity: a session on a folder that was recreated has outdated positions.
 */
export async function saveFolderProgress(
  db: Db,
  key: MailboxKey,
  uidValidity: number,
  folderProgress: FolderProgress,
): Promise<void> {
  await progressOf(db, key)
    .set((eb) => ({
      checkpoint_uid: eb.fn<number>('greatest', ['checkpoint_uid', eb.val(folderProgress.checkpoint)]),
      last_uid: folderProgress.lastUid,
      messages: folderProgress.messages,
      backlog: folderProgress.backlog,
      oldest_waiting_at: folderProgress.oldestWaitingAt,
      arrived_at: eb.fn<Date>('greatest', ['arrived_at', sql<Date>`${folderProgress.newestAt}::timestamptz`]),
      is_backfill: sql<boolean>`is_backfill and ${folderProgress.backlog > 0}`,
    }))
    .where('uidvalidity', '=', uidValidity)
    .execute();
}

function progressOf(db: Db, { orgId, mailboxId }: MailboxKey) {
  return db.updateTable('mailbox_progress').where('org_id', '=', orgId).where('mailbox_id', '=', mailboxId);
}
