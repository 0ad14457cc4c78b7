import { present } from '@dmarc-ledger/vocabulary';
import { type Database, type Db, type ItemAction, type Session, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { enterMessages, type NewMessage, type ReceivedMessage } from '../intake/intake.ts';
import { countTaken } from './mailbox-day.ts';
import type { MailboxKey } from './mailboxes.ts';

/** A mail with its position; its bytes are durable. */
export interface NewMail extends NewMessage {
  uid: number;
  arrivedAt: Date | null;
}

/**
 * Sets the uidValidity (UIDVALIDITY) of a mailbox: after a change all its messages are new, and the old positions can
 * no longer be used. Returns the checkpoint.
 */
export async function openUidValidity(
  database: Database,
  { orgId, mailboxId }: MailboxKey,
  uidValidity: number,
): Promise<number> {
  return await transact(database, async ({ db }) => {
    const progress = await db
      .selectFrom('mailbox_progress')
      .select(['uidvalidity', 'checkpoint_uid'])
      .where('org_id', '=', orgId)
      .where('mailbox_id', '=', mailboxId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (progress.uidvalidity === uidValidity) return progress.checkpoint_uid;
    await db
      .updateTable('mailbox_progress')
      .set({
        uidvalidity: uidValidity,
        checkpoint_uid: 0,
        last_uid: 0,
        backlog: 0,
        oldest_waiting_at: null,
        is_backfill: true,
      })
      .where('org_id', '=', orgId)
      .where('mailbox_id', '=', mailboxId)
      .execute();
    await db
      .updateTable('mailbox_item')
      .set({ action: 'gone', acted_at: sql<Date>`now()` })
      .where('org_id', '=', orgId)
      .where('mailbox_id', '=', mailboxId)
      .where('uidvalidity', '!=', uidValidity)
      .where('action', '=', 'none')
      .execute();
    return 0;
  });
}

/** Returns those of these positions that are not stored yet, in order. */
export async function findUnknownUids(
  db: Db,
  { orgId, mailboxId }: MailboxKey,
  uidValidity: number,
  uids: readonly number[],
): Promise<number[]> {
  if (uids.length === 0) return [];
  const rows = await db
    .selectFrom('mailbox_item')
    .select('uid')
    .where('org_id', '=', orgId)
    .where('mailbox_id', '=', mailboxId)
    .where('uidvalidity', '=', uidValidity)
    .where('uid', '=', sql<number>`any(${uids}::bigint[])`)
    .execute();
  const known = new Set(rows.map(({ uid }) => uid));
  return uids.filter((uid) => !known.has(uid));
}

/** Enters mails with their positions: the delivery once for its bytes, each position once. */
export async function enterMails(
  { db }: Session,
  { orgId, mailboxId }: MailboxKey,
  uidValidity: number,
  mails: readonly NewMail[],
): Promise<ReceivedMessage[]> {
  const entered = await enterMessages(
    db,
    orgId,
    mails.map(({ uid: _uid, arrivedAt: _arrivedAt, ...message }) => message),
  );
  await db
    .insertInto('mailbox_item')
    .values(
      mails.map(({ uid, arrivedAt }, i) => ({
        org_id: orgId,
        mailbox_id: mailboxId,
        uidvalidity: uidValidity,
        uid,
        message_id: present(entered[i]).id,
        arrived_at: arrivedAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .updateTable('mailbox_progress')
    .set((eb) => ({
      arrived_at: eb.fn<Date>('greatest', ['arrived_at', sql<Date>`${latest(mails)}::timestamptz`]),
    }))
    .where('org_id', '=', orgId)
    .where('mailbox_id', '=', mailboxId)
    .execute();
  const bytes = mails.reduce((sum, { size }) => sum + size, 0);
  await countTaken(db, orgId, { mails: mails.length, bytes });
  return entered;
}

/** Records what was done with the mails at these positions. */
export async function markActed(
  db: Db,
  { orgId, mailboxId }: MailboxKey,
  { uidValidity, uids }: { uidValidity: number; uids: readonly number[] },
  action: ItemAction,
): Promise<void> {
  if (uids.length === 0) return;
  await db
    .updateTable('mailbox_item')
    .set({ action, acted_at: sql<Date>`now()` })
    .where('org_id', '=', orgId)
    .where('mailbox_id', '=', mailboxId)
    .where('uidvalidity', '=', uidValidity)
    .where('uid', '=', sql<number>`any(${uids}::bigint[])`)
    .where('action', '=', 'none')
    .execute();
}

function latest(mails: readonly NewMail[]): Date | null {
  return mails.reduce<Date | null>(
    (newest, { arrivedAt }) => (arrivedAt && (!newest || arrivedAt > newest) ? arrivedAt : newest),
    null,
  );
}
