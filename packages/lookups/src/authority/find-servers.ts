import type { AskOptions, DnsClient } from '../dns/dns-client.ts';
import { isSettled } from '../dns/dns-fact.ts';
import type { ServerAddress } from '../dns/server-address.ts';

/** A name server with its addresses. */
export interface NameServer {
  host: string;
  addresses: ServerAddress[];
}

export interface ServerSearch {
  client: DnsClient;
  /** The port of name servers (DNS_AUTHORITATIVE_PORT). */
  port: number;
  /** Whether this address may be queried. Others choose it. */
  isAllowed: (address: string) => boolean;
}

const SERVERS = 4;
const ADDRESSES = 2;

/** Returns the names of the servers of a name's zone: the nearest zone above that has any. Or why they are unknown. */
export async function findZoneServers(
  { client }: ServerSearch,
  name: string,
  options: AskOptions,
): Promise<readonly string[] | { reason: string }> {
  for (let zone = name; zone !== ''; zone = parentOf(zone)) {
    const fact = await client.ask(zone, 'NS', options);
    if (!isSettled(fact)) return { reason: `the servers of ${zone} cannot be found (${fact.outcome})` };
    if (fact.outcome === 'answer' && fact.aliases.length === 0) return fact.data;
  }
  return { reason: 'no zone has the name' };
}

/** The parent of a name with one label is the root; the root has none. */
function parentOf(name: string): string {
  if (name === '.') return '';
  return name.includes('.') ? name.slice(name.indexOf('.') + 1) : '.';
}

/** The servers of a zone that may be queried, and their total number, including those without an allowed address. */
export interface ZoneServers {
  servers: NameServer[];
  count: number;
}

/** Resolves their addresses, at most two of each server. Two names of one server count once. */
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
