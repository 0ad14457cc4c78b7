import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** What the mailboxes of an organization brought in a day (UTC), new or again. */
export interface MailboxDay {
  mails: number;
  bytes: number;
}

/**
 * Counts mails for this day. To be called at the end of the transaction that enters them: the other mailboxes of the
 * organization wait for it. An organization that has been removed meanwhile has no row.
 */
export async function countTaken(db: Db, orgId: string, { mails, bytes }: MailboxDay): Promise<void> {
  await sql`
    with past as (delete from mailbox_day where org_id = ${orgId} and day < ${today} - 2)
    insert into mailbox_day as t (org_id, day, mails, bytes)
    select id, ${today}, ${mails}, ${bytes} from organization where id = ${orgId}
    on conflict (org_id, day) do update set mails = t.mails + excluded.mails, bytes = t.bytes + excluded.bytes`.execute(
    db,
  );
}

/** Returns what the mailboxes of an organization have brought in this day. */
export async function findTakenToday(db: Db, orgId: string): Promise<MailboxDay> {
  const { rows } = await sql<MailboxDay>`
    select mails, bytes from mailbox_day where org_id = ${orgId} and day = ${today}`.execute(db);
  return rows[0] ?? { mails: 0, bytes: 0 };
}

const today = sql<string>`(now() at time zone 'utc')::date`;
