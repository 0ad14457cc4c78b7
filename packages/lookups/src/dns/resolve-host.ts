import type { DnsClient } from './dns-client.ts';
import { isSettled, type DnsFact } from './dns-fact.ts';

export interface HostAddress {
  address: string;
  family: 4 | 6;
}

const MAX_ADDRESSES = 8;

/** Returns all addresses of a host; undefined if they could not be looked up. */
export async function resolveHost(
  client: DnsClient,
  host: string,
  signal: AbortSignal,
): Promise<HostAddress[] | undefined> {
  const [v4, v6] = await Promise.all([client.ask(host, 'A', { signal }), client.ask(host, 'AAAA', { signal })]);
  const addresses = [...addressesOf(v4, 4), ...addressesOf(v6, 6)].slice(0, MAX_ADDRESSES);
  return addresses.length > 0 || (isSettled(v4) && isSettled(v6)) ? addresses : undefined;
}

function addressesOf(fact: DnsFact<'A'> | DnsFact<'AAAA'>, family: 4 | 6): HostAddress[] {
  return fact.outcome === 'answer' ? fact.data.map((address) => ({ address, family })) : [];
}
