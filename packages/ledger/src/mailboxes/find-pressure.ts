import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import type { MailboxKey } from './mailboxes.ts';

/** Returns how much work waits, each kind counted up to one more than its limit. */
export async function findPressure(
  db: Db,
  limits: { outbox: number; waiting: number },
): Promise<{ outbox: number; waiting: number }> {
  const { rows } = await sql<{ outbox: number; waiting: number }>`
    select (select count(*) from (select from outbox limit ${limits.outbox + 1}) o) as outbox,
      (select count(*) from (
        select from raw_message where state in ('received', 'processing')
          and held_until is null limit ${limits.waiting + 1}) m) as waiting`.execute(db);
  return rows[0]!;
}

/**
 * True if more mail has arrived in a mailbox within the hour than is allowed, not counting mail that was there when it
 * was added.
 */
export async function isFlooded(db: Db, { orgId, mailboxId }: MailboxKey, mailsAnHour: number): Promise<boolean> {
  const { rows } = await sql<{ is_flooded: boolean }>`
    select not p.is_backfill and (
      select count(*) filter (where fetched_at > now() - interval '1 hour' and arrived_at > m.created_at) from (
        select fetched_at, arrived_at from mailbox_item i
        where i.org_id = p.org_id and i.mailbox_id = p.mailbox_id and i.uidvalidity = p.uidvalidity
        order by uid desc limit ${mailsAnHour}) newest) >= ${mailsAnHour} as is_flooded
    from mailbox_progress p join mailbox m on m.org_id = p.org_id and m.id = p.mailbox_id
    where p.org_id = ${orgId} and p.mailbox_id = ${mailboxId}`.execute(db);
  return rows[0]?.is_flooded ?? false;
}
