import { isIP } from 'node:net';
import { type RawBuilder, sql } from 'kysely';

/** The prefix of a sender's network by the version of IP. */
const NETWORK_BITS: { [version: number]: string } = { 4: '24', 6: '48' };

/** True for the key of a sender that is a network. (rules, sender-inventory/senders) */
export function isSenderNetwork(sender: string): boolean {
  const [address = '', bits = '', ...rest] = sender.split('/');
  const isPlain = rest.length === 0 && !address.includes('%'); // PostgreSQL knows no zones
  return isPlain && bits === NETWORK_BITS[isIP(address)];
}

/** SQL for the network of a sender that an address belongs to, unless to a service. */
export function networkOf(address: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`network(set_masklen(${address}, case family(${address}) when 4 then 24 else 48 end))`;
}

/** SQL that is true for an address in a network: a range of an index over addresses. */
export function isWithin(address: RawBuilder<unknown>, network: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${address} between ${network} and set_masklen(broadcast(${network}), -1)`;
}

/** SQL for the network of a decided sender; null for a service. */
export function decidedNetwork(sender: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${sender} like '%/%' then ${sender}::inet end`;
}
