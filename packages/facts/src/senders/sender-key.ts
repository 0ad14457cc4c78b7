import { type RawBuilder, sql } from 'kysely';

/**
 * SQL for the key of the sender that an address belongs to, as text: the slug of its service, or else its network, /24
 * of IPv4 and /48 of IPv6. (rules, sender-inventory/senders)
 *
 * @param slug `service_slug` of the address's row in `source_total`
 * @param address the address, as `inet`
 */
export function senderKey(slug: RawBuilder<unknown>, address: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`coalesce(${slug}, sender_network(${address}))`;
}

/** True for the key of a network; false for the slug of a service. */
export function isNetwork(sender: string): boolean {
  return sender.includes('/');
}
