import { isNetwork, senderKey } from '@dmarc-ledger/facts';
import { sql } from 'kysely';
import { all, type Condition } from '../lists/sorted-list.ts';
import { isSenderNetwork } from '../senders/network-range.ts';

/** True if an address of a list belongs to this sender. (rules, sender-inventory/senders) */
export function isOfSender(sender: string): Condition {
  const service = sql`(select t.service_slug from source_total t where t.org_id = list.org_id
    and t.source_ip = list.source_ip)`;
  const belongs = sql<boolean>`${senderKey(service, sql`list.source_ip`)} = ${sender}`;
  if (!isNetwork(sender)) return belongs;
  if (!isSenderNetwork(sender)) return sql`false`;
  return all([sql<boolean>`list.source_ip <<= ${sender}::inet`, belongs]); // the range is found by index
}
