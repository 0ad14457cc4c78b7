import type { Db } from '@dmarc-ledger/schema';

/** The mailboxes of an organization with their state, without their secrets. */
export async function findMailboxes(db: Db, orgId: string) {
  return await db
    .selectFrom('mailbox as m')
    .innerJoin('mailbox_progress as p', (join) =>
      join.onRef('p.org_id', '=', 'm.org_id').onRef('p.mailbox_id', '=', 'm.id'),
    )
    .select(['m.id', 'm.host', 'm.port', 'm.username', 'm.folder', 'm.paused_at'])
    .select(['p.state', 'p.fault', 'p.succeeded_at', 'p.retry_at', 'p.backlog', 'p.oldest_waiting_at', 'p.messages'])
    .where('m.org_id', '=', orgId)
    .where('m.removed_at', 'is', null)
    .orderBy('m.id')
    .execute();
}

export type MailboxRow = Awaited<ReturnType<typeof findMailboxes>>[number];
