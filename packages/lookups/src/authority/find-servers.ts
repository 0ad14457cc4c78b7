import type { AskOptions, DnsClient } from '../dns/dns-client.ts';
import { isSettled } from '../dns/dns-fact.ts';
import type { ServerAddress } from '../dns/server-address.ts';

/** A name server with the addresses at which it may be asked. */
export interface NameServer {
  host: string;
  addresses: ServerAddress[];
}

export interface ServerSearch {
  client: DnsClient;
  /** Where name servers listen (DNS_AUTHORITATIVE_PORT). */
  port: number;
  /** May this address be asked? It is chosen by strangers. */
  isAllowed: (address: string) => boolean;
}

const SERVERS = 4;
const ADDRESSES = 2;

/**
 * The names of the servers of the zone that a name is in: the nearest above it that has any. Or why that is not known.
 */
export async function findZoneServers(
  { client }: ServerSearch,
  name: string,
  options: AskOptions,
): Promise<readonly string[] | { reason: string }> {
  for (let zone = name; zone !== ''; zone = parentOf(zone)) {
    const fact = await client.ask(zone, 'NS', options);
    if (!isSettled(fact)) return { reason: `who serves ${zone} cannot be found out (${fact.outcome})` };
    if (fact.outcome === 'answer' && fact.aliases.length === 0) return fact.data;
  }
  return { reason: 'no zone has the name' };
}

/** Of a name with one label that is the root; above it is nothing. */
function parentOf(name: string): string {
  if (name === '.') return '';
  return name.includes('.') ? name.slice(name.indexOf('.') + 1) : '.';
}

/**
 * The servers of a zone that may be asked, and how many it has: also those that cannot be found, or may not be asked.
 */
export interface ZoneServers {
  servers: NameServer[];
  count: number;
}

/** Their addresses, of each server two at most. Two names of one server are one. */
export async function resolveServers(
  { client, port, isAllowed }: ServerSearch,
  hosts: readonly string[],
  options: AskOptions,
): Promise<ZoneServers> {
  const chosen = [...new Set(hosts)].toSorted().slice(0, SERVERS);
  const resolved = await Promise.all(
    chosen.map(async (host): Promise<NameServer> => {
      const facts = await Promise.all([client.ask(host, 'A', options), client.ask(host, 'AAAA', options)]);
      const found = facts.flatMap((fact) => (fact.outcome === 'answer' ? fact.data : []));
      const allowed = found.filter(isAllowed).slice(0, ADDRESSES);
      return { host, addresses: allowed.map((address) => ({ address, port })) };
    }),
  );
  const places = new Set<string>();
  const servers = resolved.filter(({ addresses: [first] }) => {
    const isNew = first !== undefined && !places.has(first.address);
    if (first) places.add(first.address);
    return isNew;
  });
  const unknown = resolved.filter(({ addresses }) => addresses.length === 0);
  return { servers, count: servers.length + unknown.length };
}
