import type { Outside } from '@dmarc-ledger/pipeline';
import { builtInLists, interpretAnswer, listsToAsk } from '@dmarc-ledger/sources';

/** A server that sends mail, and what lookups find about it. */
export interface Host {
  ip: string;
  /** Absent: the address has no host name. */
  name: string | undefined;
  /** Whether the host name resolves back to the address. Default true. */
  confirmed?: boolean;
  asn: number;
  /** The ids of the blocklists that list it, some with the code that they answer: `spamhaus-zen 127.0.0.9`. */
  listedBy?: readonly string[];
  /** The abuse score, 0 to 100. Default 0. */
  abuse?: number;
}

const hosts = new Map<string, Host>();

/** A host at a public address of its own; each in its own network (AS) and /16 unless told otherwise. */
export function host(name: string | undefined, facts: Partial<Host> = {}): Host {
  const number = hosts.size + 1;
  const ip = facts.ip ?? `45.${number >> 6}.${(number & 63) * 4}.10`;
  const made = { asn: 64_600 + number, ...facts, ip, name };
  hosts.set(ip, made);
  return made;
}

/** So many hosts, each in its own network; `#` in the name is the number of the host. */
export function botnet(count: number, name: string | undefined, facts: Partial<Host> = {}): Host[] {
  return Array.from({ length: count }, (_, i) => host(name?.replace('#', String(i + 1)), facts));
}

/** Lookups that find what the hosts of the scenarios say, and nothing about any other address. */
export const hostsOutside: Outside = {
  reverse: async (address) => {
    const { name, confirmed = true } = hosts.get(address) ?? {};
    return name === undefined ? { outcome: 'none' } : { outcome: 'found', names: [{ name, confirmed }] };
  },
  lists: async (address, scope) => {
    const results = listsToAsk(builtInLists, address, scope).map(({ list }) => {
      const listing = hosts.get(address)?.listedBy?.find((id) => id.split(' ')[0] === list.id);
      if (listing === undefined) return interpretAnswer(list, { outcome: 'nxdomain' });
      const addresses = [listing.split(' ')[1] ?? '127.0.0.2'];
      return interpretAnswer(list, { outcome: 'addresses', addresses, texts: [] });
    });
    return { results, suspended: [] };
  },
  place: async (address) => {
    const { asn } = hosts.get(address) ?? {};
    return { facts: asn === undefined ? {} : { asn, isp: `Network ${asn}` }, build: null };
  },
  reputation: async (address) => {
    const score = hosts.get(address)?.abuse ?? 0;
    const facts = { abuseScore: score, abuseReports: score, abuseCategories: [], hostNames: [] };
    return { outcome: 'found', facts: { ...facts, whitelisted: false, tor: false }, source: 'scenario' };
  },
};

/** How a test names an address: by the host name, else the address itself. */
export function nameOf(address: string): string {
  return hosts.get(address)?.name ?? address;
}
