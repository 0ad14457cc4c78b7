import { senderKey, type SourceSums } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import type { SenderDecision } from '@dmarc-ledger/vocabulary';
import { type RawBuilder, sql } from 'kysely';
import { all } from '../lists/sorted-list.ts';

/** A sender of one domain: its sums over all reports held, and what has been decided about it. */
export interface InventoryRow extends SourceSums {
  domain_id: string;
  domain: string;
  /** The slug of a service, or a network such as `192.0.2.0/24`. */
  sender: string;
  addresses: number;
  /** Of these addresses, the ones with the reputation `malicious`. */
  malicious: number;
  decision: SenderDecision | null;
  owner: string | null;
  note: string | null;
  decided_by: string | null;
  decided_at: Date | null;
}

export interface InventoryFilter {
  /** Undefined: every domain of the organization. */
  domainId?: string | undefined;
  /** `none`: not decided. */
  decision?: SenderDecision | 'none' | undefined;
  /** The key of one sender. */
  sender?: string | undefined;
}

const orders = {
  messages: sql`messages`,
  compliant_messages: sql`compliant`,
  failing_messages: sql`(messages - compliant)`,
  addresses: sql`addresses`,
  first_seen: sql`first_seen`,
  last_seen: sql`last_seen`,
} satisfies { [name: string]: RawBuilder<unknown> };

export type InventorySort = keyof typeof orders;
export const inventorySorts = [
  'messages',
  'compliant_messages',
  'failing_messages',
  'addresses',
  'first_seen',
  'last_seen',
] as const satisfies readonly InventorySort[];

export interface InventoryPage {
  sortBy: InventorySort;
  direction: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/**
 * Returns one page of the senders of an organization's domains, and the number that match. Every address of a domain
 * belongs to one sender of it, so the sums are those of the domain. A decided sender without mail has zeros. (rules,
 * sender-inventory/senders)
 */
export async function findInventory(
  db: Db,
  orgId: string,
  { domainId, decision, sender }: InventoryFilter,
  { sortBy, direction, limit, offset }: InventoryPage,
): Promise<{ rows: InventoryRow[]; total: number }> {
  const ofDomain = (table: string) =>
    domainId === undefined ? sql`` : sql`and ${sql.ref(`${table}.domain_id`)} = ${domainId}`;
  const matches = all([
    sql<boolean>`n.org_id = ${orgId}`,
    ...(sender === undefined ? [] : [sql<boolean>`s.sender = ${sender}`]),
    ...(decision === undefined ? [] : [isDecided(orgId, decision)]),
  ]);
  const towards = direction === 'asc' ? sql`asc nulls last` : sql`desc nulls last`;
  // a decided sender has a row of its own without mail, so that it is there when no address of it is
  const { rows } = await sql<InventoryRow & { total: number }>`
    with parts as (
      select d.domain_id, ${senderKey(sql`t.service_slug`, sql`d.source_ip`)} collate "C" as sender, 1 as addresses,
        (t.abuse_status = 'malicious')::integer as malicious, d.messages, d.compliant, d.spf_pass, d.dkim_pass, d.forwarded,
        d.suspicious, d.needs_review, d.first_seen, d.last_seen
      from source_domain d left join source_total t on t.org_id = ${orgId} and t.source_ip = d.source_ip
      where d.org_id = ${orgId} ${ofDomain('d')}
      union all
      select c.domain_id, c.sender, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, null
      from sender_decision c where c.org_id = ${orgId} ${ofDomain('c')}
    ), sums as (
      select domain_id, sender, sum(addresses) as addresses, coalesce(sum(malicious), 0) as malicious,
        sum(messages)::bigint as messages, sum(compliant)::bigint as compliant, sum(spf_pass)::bigint as spf_pass,
        sum(dkim_pass)::bigint as dkim_pass, sum(forwarded)::bigint as forwarded, sum(suspicious)::bigint as suspicious,
        sum(needs_review)::bigint as needs_review, min(first_seen) as first_seen, max(last_seen) as last_seen
      from parts group by domain_id, sender
    ), matching as (
      select s.*, n.name as domain, count(*) over () as total
      from sums s join domain n on n.id = s.domain_id where ${matches}
    ), page as (
      select * from matching order by ${orders[sortBy]} ${towards}, domain, sender limit ${limit} offset ${offset}
    )
    select p.*, c.decision, c.owner, c.note, c.decided_by, c.decided_at
    from page p left join sender_decision c on c.org_id = ${orgId} and c.domain_id = p.domain_id and c.sender = p.sender
    order by ${orders[sortBy]} ${towards}, domain, p.sender`.execute(db);
  const [first] = rows;
  if (first !== undefined || offset === 0) return { rows, total: first?.total ?? 0 };
  // past the end, the first row has the total
  const { total } = await findInventory(
    db,
    orgId,
    { domainId, decision, sender },
    { sortBy, direction, limit: 1, offset: 0 },
  );
  return { rows: [], total };
}

function isDecided(orgId: string, decision: SenderDecision | 'none'): RawBuilder<boolean> {
  const is = sql`exists (
    select from sender_decision c where c.org_id = ${orgId} and c.domain_id = s.domain_id and c.sender = s.sender
      and ${decision === 'none' ? sql`true` : sql`c.decision = ${decision}`})`;
  return decision === 'none' ? sql<boolean>`not ${is}` : sql<boolean>`${is}`;
}
