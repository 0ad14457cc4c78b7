import { senderKey } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import type { SenderDecision } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** What has been decided about the sender that an address belongs to, for one domain it sends as. */
export interface AddressDecision {
  /** In canonical spelling. */
  ip: string;
  domain: string;
  /** The slug of a service, or a network such as `192.0.2.0/24`. */
  sender: string;
  decision: SenderDecision;
  owner: string;
}

const MOST = 200;

/**
 * Returns the decisions that hold for these addresses, in every domain they send as or in one of them, by domain. An
 * address whose senders are all undecided is missing. (rules, sender-inventory/decisions)
 */
export async function findAddressDecisions(
  db: Db,
  orgId: string,
  addresses: readonly string[],
  domain?: string,
): Promise<AddressDecision[]> {
  if (addresses.length === 0) return [];
  const ofDomain = domain === undefined ? sql`true` : sql`n.name = ${domain}`;
  // from the few decisions to the addresses: a stranger can send as many domains, and decides about none
  const { rows } = await sql<AddressDecision>`
    with senders as (
      select a.ip, ${senderKey(sql`t.service_slug`, sql`a.ip`)} as sender
      from unnest(${addresses}::inet[]) as a (ip)
        left join source_total t on t.org_id = ${orgId} and t.source_ip = a.ip
    )
    select host(s.ip) as ip, n.name as domain, c.sender, c.decision, c.owner
    from sender_decision c join senders s on s.sender = c.sender
      join domain n on n.org_id = ${orgId} and n.id = c.domain_id
    where c.org_id = ${orgId} and ${ofDomain} and exists (
      select from source_domain d where d.org_id = ${orgId} and d.domain_id = c.domain_id and d.source_ip = s.ip)
    order by n.name, s.ip limit ${MOST}`.execute(db);
  return rows;
}
