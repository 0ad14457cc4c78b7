import type { MailFacts } from '@dmarc-ledger/dmarc';
import type { Db, Session, Statement } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import type { ClaimedMessage } from './claimed-message.ts';

/**
 * Returns the organizations that own one of these addresses (domain null), or that monitor one of these names at a
 * user's request: a domain added by reports gives no right to further reports. An address of several organizations
 * identifies none.
 */
export async function findClaims(
  db: Db,
  { addresses, names }: { addresses: readonly string[]; names: readonly string[] },
): Promise<{ orgId: string; domain: string | null }[]> {
  const { rows } = await sql<{ org_id: string; domain: string | null }>`
    select (array_agg(o.id))[1] as org_id, null as domain
    from unnest(${addresses}::text[]) as a (address)
      join organization o on o.report_addresses && array[a.address, lower(a.address)] and o.removed_at is null
    group by a.address having count(*) = 1
    union
    select d.org_id, d.name from domain d join organization o on o.id = d.org_id and o.removed_at is null
    where d.name = any(${names}) and d.monitored and d.source in ('manual', 'both')`.execute(db);
  return rows.map(({ org_id, domain }) => ({ orgId: org_id, domain }));
}

/**
 * The policy domains taken from a shared mailbox's delivery by its owner, and by each other organization. Null: all.
 */
export interface Assignment {
  message: ClaimedMessage;
  mailFacts: MailFacts | null;
  onlyDomains: readonly string[] | null;
  targets: ReadonlyMap<string, readonly string[] | null>;
}

/**
 * Enters a delivery, with the same bytes, for each organization it is assigned to. An organization that already has it
 * with fewer domains, or with less known of its mail, reads it again. Records the assignment in the owner's ledger.
 */
export async function assignMessage(
  session: Session,
  orgId: string,
  { message, mailFacts, onlyDomains, targets }: Assignment,
): Promise<void> {
  const rows = [...targets].map(([target, domains]) => ({
    org_id: target,
    id: newId(),
    sha256: `\\x${message.sha256.toString('hex')}`,
    size: message.size,
    name: message.name,
    received_at: message.receivedAt.toISOString(),
    mailbox_id: message.mailboxId,
    only_domains: domains,
    mail_facts: mailFacts,
  }));
  if (rows.length > 0) await session.run(enterAssigned, [JSON.stringify(rows)]);
  await session.db
    .updateTable('raw_message')
    .set({ only_domains: onlyDomains && [...onlyDomains], assigned_to: rows.length > 0 ? [...targets.keys()] : null })
    .where('org_id', '=', orgId)
    .where('id', '=', message.id)
    .execute();
}

/** Has an organization take all of a delivery, of which it took some domains or none. */
export async function takeAllDomains(db: Db, orgId: string, id: string): Promise<void> {
  await db
    .updateTable('raw_message')
    .set({ only_domains: null })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
}

/** No mailbox of the organization's own has brought the delivery, which would say which server to believe. */
const NO_OWN_MAILBOX = '(m.mailbox_id is null or m.mailbox_id = excluded.mailbox_id)';

/** A delivery in progress is not changed here: when it finishes, the changed request makes it run again. */
const enterAssigned: Statement = {
  name: 'enter-assigned',
  text: `
    insert into raw_message as m (org_id, id, sha256, size, source, name, received_at, mailbox_id, only_domains,
      mail_facts)
    select org_id, id, sha256, size, 'mailbox', name, received_at, mailbox_id, only_domains, mail_facts
    from json_to_recordset($1::json) as a (org_id uuid, id uuid, sha256 bytea, size bigint, name text,
      received_at timestamptz, mailbox_id uuid, only_domains text[], mail_facts jsonb)
    order by org_id
    on conflict (org_id, sha256) do update set
      only_domains = case when m.only_domains is not null and excluded.only_domains is not null then
        (select array_agg(distinct d order by d) from unnest(m.only_domains || excluded.only_domains) as d) end,
      mail_facts = case when ${NO_OWN_MAILBOX} then excluded.mail_facts else m.mail_facts end,
      bytes_purged_at = null, state = case when m.state = 'processing' then m.state else 'received' end,
      attempts_started = case when m.state = 'processing' then m.attempts_started else 0 end
    where m.only_domains is not null and (excluded.only_domains is null
        or not excluded.only_domains <@ m.only_domains)
      or ${NO_OWN_MAILBOX} and m.mail_facts is distinct from excluded.mail_facts`,
};
