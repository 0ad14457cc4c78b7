import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { senderKey } from '../senders/sender-key.ts';

/** The sender that an address belongs to, and whether its mail has ever passed. */
export interface AddressSender {
  address: string;
  /** See `senderKey`. */
  sender: string;
  /** The recognised service; null for a network. */
  slug: string | null;
  hasPassed: boolean;
}

/** Returns the senders of addresses; whether mail passed is about one domain, over all reports that are held. */
export async function findAddressSenders(
  db: Db,
  orgId: string,
  domainId: string,
  addresses: readonly string[],
): Promise<Map<string, AddressSender>> {
  if (addresses.length === 0) return new Map();
  const { rows } = await sql<AddressSender>`
    select a.address, ${senderKey(sql`t.service_slug`, sql`a.address::inet`)} as sender, t.service_slug as slug,
      coalesce(s.compliant > 0, false) as "hasPassed"
    from unnest(${addresses}::text[]) as a (address)
      left join source_total t on t.org_id = ${orgId} and t.source_ip = a.address::inet
      left join source_domain s on s.org_id = ${orgId} and s.source_ip = a.address::inet and s.domain_id = ${domainId}`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.address, row]));
}
