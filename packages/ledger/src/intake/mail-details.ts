import type { MailFacts } from '@dmarc-ledger/dmarc';
import type { Db, ItemAction } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Where a mail was found, and what was done with it there. */
interface MailPlace {
  mailbox: string;
  folder: string;
  uidvalidity: number;
  uid: number;
  arrivedAt: Date | null;
  action: ItemAction;
  actedAt: Date | null;
}

/** What is stored about a delivery that arrived by mail. */
export interface MailDetails {
  mailReceivedAt: Date | null;
  /** What the receiving server recorded, if it is trusted. */
  facts: MailFacts | null;
  isHeaderOnly: boolean;
  /** For a shared mailbox: the policy domains taken from it; null: all. */
  onlyDomains: string[] | null;
  /** For a shared mailbox: how many other organizations received it. */
  assignedTo: number;
  places: MailPlace[];
}

export async function findMailDetails(db: Db, orgId: string, id: string): Promise<MailDetails | undefined> {
  const row = await db
    .selectFrom('raw_message')
    .select([
      'mail_received_at as mailReceivedAt',
      'mail_facts as facts',
      'header_only as isHeaderOnly',
      'only_domains as onlyDomains',
      sql<number>`coalesce(cardinality(assigned_to), 0)`.as('assignedTo'),
    ])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const places = await db
    .selectFrom('mailbox_item as i')
    .innerJoin('mailbox as m', (join) => join.onRef('m.org_id', '=', 'i.org_id').onRef('m.id', '=', 'i.mailbox_id'))
    .select([
      sql<string>`m.username || ' at ' || m.host`.as('mailbox'),
      'm.folder',
      'i.uidvalidity',
      'i.uid',
      'i.arrived_at as arrivedAt',
      'i.action',
      'i.acted_at as actedAt',
    ])
    .where('i.org_id', '=', orgId)
    .where('i.message_id', '=', id)
    .orderBy('i.fetched_at')
    .execute();
  return { ...row, places };
}
