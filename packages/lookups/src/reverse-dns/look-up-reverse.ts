import { isIPv4 } from 'node:net';
import { canonicalIp, isDomainName } from '@dmarc-ledger/vocabulary';
import { isPublicAddress } from '../address/public-address.ts';
import { reverseName } from '../address/reverse-name.ts';
import type { DnsClient } from '../dns/dns-client.ts';
import { isSettled } from '../dns/dns-fact.ts';

/** A name from the address's PTR records. */
export interface HostName {
  name: string;
  /** True if the name resolves to the address. Null: the lookup failed. */
  confirmed: boolean | null;
}

/**
 * - `found`: at least one valid host name; those that resolve back first, those that do not last.
 * - `none`: no PTR record, or none with a valid host name.
 * - `not_public`: not queried, as no server on the public Internet could answer.
 * - `failed`: the lookup failed.
 */
export type ReverseFact =
  | { outcome: 'found'; names: readonly HostName[] }
  | { outcome: 'none' | 'not_public' }
  | { outcome: 'failed'; failure: string };

/** The most names that are read, and resolved. */
const MAX_NAMES = 3;

/**
 * Looks up the names of an address, and resolves each one in turn: anyone can set any name there. (rules,
 * lookups/host-names-of-addresses)
 */
export async function lookUpReverse(client: DnsClient, ip: string): Promise<ReverseFact> {
  const address = canonicalIp(ip);
  const pointer = address === undefined ? undefined : reverseName(address);
  if (address === undefined || pointer === undefined || !isPublicAddress(address)) return { outcome: 'not_public' };
  const fact = await client.ask(pointer, 'PTR');
  if (!isSettled(fact)) return { outcome: 'failed', failure: fact.outcome };
  const names = fact.outcome === 'answer' ? [...new Set(fact.data)].filter(isDomainName).sort() : [];
  if (names.length === 0) return { outcome: 'none' };
  const checked = await Promise.all(names.slice(0, MAX_NAMES).map((name) => checkForward(client, name, address)));
  return { outcome: 'found', names: checked.toSorted((a, b) => trust(b) - trust(a)) };
}

function trust({ confirmed }: HostName): number {
  return confirmed === null ? 0 : confirmed ? 1 : -1;
}

async function checkForward(client: DnsClient, name: string, ip: string): Promise<HostName> {
  const fact = await client.ask(name, isIPv4(ip) ? 'A' : 'AAAA');
  if (!isSettled(fact)) return { name, confirmed: null };
  return { name, confirmed: fact.outcome === 'answer' && fact.data.includes(ip) };
}
