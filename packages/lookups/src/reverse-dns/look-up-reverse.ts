import { isIPv4 } from 'node:net';
import { canonicalIp, isDomainName } from '@dmarc-ledger/vocabulary';
import { isPublicAddress } from '../address/public-address.ts';
import { reverseName } from '../address/reverse-name.ts';
import type { AskOptions, DnsClient } from '../dns/dns-client.ts';
import { isSettled } from '../dns/dns-fact.ts';

/** A name that the address's PTR gives. */
export interface HostName {
  name: string;
  /** The name has the address among its own. Null: that could not be found out. */
  confirmed: boolean | null;
}

/**
 * - `found`: at least one name that can be the name of a host; those that resolve back first, those known not to last.
 * - `none`: there is no PTR, or none that can be the name of a host.
 * - `not_public`: not asked, for nobody on the public Internet could answer.
 * - `failed`: could not be found out.
 */
export type ReverseFact =
  | { outcome: 'found'; names: readonly HostName[] }
  | { outcome: 'none' | 'not_public' }
  | { outcome: 'failed'; failure: string };

export interface ReverseOptions extends AskOptions {
  /** Which addresses may be asked about. Default: public ones. */
  isAllowed?: (ip: string) => boolean;
}

/** Names that are looked at, and looked up. */
const MAX_NAMES = 3;

/**
 * The names of an address, each looked up in its turn: anyone can put any name there.
 * (rules, lookups/host-names-of-addresses)
 */
export async function lookUpReverse(client: DnsClient, ip: string, options: ReverseOptions = {}): Promise<ReverseFact> {
  const { isAllowed = isPublicAddress, ...ask } = options;
  const address = canonicalIp(ip);
  const pointer = address === undefined ? undefined : reverseName(address);
  if (address === undefined || pointer === undefined || !isAllowed(address)) return { outcome: 'not_public' };
  const fact = await client.ask(pointer, 'PTR', ask);
  if (!isSettled(fact)) return { outcome: 'failed', failure: fact.outcome };
  const names = fact.outcome === 'answer' ? [...new Set(fact.data)].filter(isDomainName).sort() : [];
  if (names.length === 0) return { outcome: 'none' };
  const checked = await Promise.all(names.slice(0, MAX_NAMES).map((name) => checkForward(client, name, address, ask)));
  return { outcome: 'found', names: checked.toSorted((a, b) => trust(b) - trust(a)) };
}

function trust({ confirmed }: HostName): number {
  return confirmed === null ? 0 : confirmed ? 1 : -1;
}

async function checkForward(client: DnsClient, name: string, ip: string, options: AskOptions): Promise<HostName> {
  const fact = await client.ask(name, isIPv4(ip) ? 'A' : 'AAAA', options);
  if (!isSettled(fact)) return { name, confirmed: null };
  return { name, confirmed: fact.outcome === 'answer' && fact.data.includes(ip) };
}
