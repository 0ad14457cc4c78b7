import type { Db, Tables } from '@dmarc-ledger/schema';
import { type ExpressionBuilder, type Nullable, sql } from 'kysely';
import type { MailboxKey } from './mailboxes.ts';

/**
 * Returns mails of this uidValidity whose deliveries have ended and that are unchanged in the mailbox, oldest first. A
 * mail assigned to other organizations has ended when it has ended for all of them. One whose delivery was deleted for
 * its age, while the mailbox was not read, had ended too, and counts as known.
 */
export async function findFinishedItems(
  db: Db,
  key: MailboxKey,
  uidValidity: number,
  limit: number,
): Promise<{ uid: number; isRefused: boolean }[]> {
  const rows = await untouched(db, key, uidValidity)
    .leftJoin('raw_message as m', (join) => join.onRef('m.org_id', '=', 'i.org_id').onRef('m.id', '=', 'i.message_id'))
    .select(['i.uid', 'm.state', 'm.sha256', 'm.assigned_to'])
    .where((eb) => eb.or([eb('m.state', 'is', null), eb('m.state', 'not in', ['received', 'processing'])]))
    .where((eb) => eb.or([eb('m.assigned_to', 'is', null), eb.not(eb.exists(copies(eb, ['received', 'processing'])))]))
    .select((eb) => eb.exists(copies(eb, ['stored', 'duplicate'])).as('is_taken'))
    .orderBy('i.uid')
    .limit(limit)
    .execute();
  return rows.map(({ uid, state, is_taken }) => ({
    uid,
    isRefused: state === 'assigned' ? !is_taken : state === 'refused' || state === 'quarantined',
  }));
}

/** True while mails of this uidValidity are unchanged because their deliveries have not ended. */
export async function hasOpenItems(db: Db, key: MailboxKey, uidValidity: number): Promise<boolean> {
  return (await untouched(db, key, uidValidity).select('i.uid').limit(1).executeTakeFirst()) !== undefined;
}

function untouched(db: Db, { orgId, mailboxId }: MailboxKey, uidValidity: number) {
  return db
    .selectFrom('mailbox_item as i')
    .where('i.org_id', '=', orgId)
    .where('i.mailbox_id', '=', mailboxId)
    .where('i.uidvalidity', '=', uidValidity)
    .where('i.action', '=', 'none');
}

/** The deliveries of the same bytes in the organizations that it was assigned to. */
function copies(
  eb: ExpressionBuilder<Tables & { m: Nullable<Tables['raw_message']> }, 'm'>,
  states: ('received' | 'processing' | 'stored' | 'duplicate')[],
) {
  return eb
    .selectFrom('raw_message as c')
    .select('c.id')
    .whereRef('c.org_id', '=', sql`any(m.assigned_to)`)
    .whereRef('c.sha256', '=', 'm.sha256')
    .where('c.state', 'in', states);
}
