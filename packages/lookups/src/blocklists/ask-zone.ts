import { isPublicAddress } from '../address/public-address.ts';
import { reversedLabels } from '../address/reverse-name.ts';
import type { AskOptions, DnsClient } from '../dns/dns-client.ts';
import { joinText, type RecordData } from '../dns/record.ts';
import { isSettled, type DnsFact } from '../dns/dns-fact.ts';

/** What a blocklist's zone was asked for an address, and how that ended. What it means, the sources room knows. */
export type ZoneFact =
  | { outcome: 'addresses'; addresses: readonly string[]; texts: readonly string[] }
  | { outcome: 'nxdomain' | 'nodata' }
  | { outcome: 'failed'; failure: string };

export interface ZoneOptions extends AskOptions {
  /** Which addresses may be asked about. Default: public ones, so that no zone learns of private networks. */
  isAllowed?: (ip: string) => boolean;
}

/** In 127/8, and no refusal: worth a second question, for the list's own words. */
const MAYBE_LISTED = /^127\.(?!255\.255\.)/;
const MAX_TEXTS = 5;

/**
 * An A query and, only when it may be listed, a TXT query (RFC 5782, 2.1 and 2.4). The zone's name is a secret when
 * keyed.
 */
export async function askZone(
  client: DnsClient,
  zone: string,
  ip: string,
  { isAllowed = isPublicAddress, ...ask }: ZoneOptions = {},
): Promise<ZoneFact> {
  const labels = reversedLabels(ip);
  if (labels === undefined || !isAllowed(ip)) return { outcome: 'failed', failure: 'not_public' };
  const name = `${labels}.${zone}`;
  const fact = await client.ask(name, 'A', ask);
  if (!isSettled(fact)) return { outcome: 'failed', failure: failureOf(fact) };
  if (fact.outcome !== 'answer') return { outcome: fact.outcome };
  const addresses = fact.data.toSorted();
  const isListed = addresses.some((address) => MAYBE_LISTED.test(address));
  return { outcome: 'addresses', addresses, texts: isListed ? await textsOf(client, name, ask) : [] };
}

/** Asks about a test address, which is not public, or any other one as it stands (RFC 5782, section 5). */
export function askCanary(
  client: DnsClient,
  zone: string,
  address: string,
  options: AskOptions = {},
): Promise<ZoneFact> {
  return askZone(client, zone, address, { ...options, fresh: true, isAllowed: () => true });
}

/** Reasons are welcome, not needed: without them the listing stands. */
async function textsOf(client: DnsClient, name: string, options: AskOptions): Promise<string[]> {
  const fact = await client.ask(name, 'TXT', options);
  if (fact.outcome !== 'answer') return [];
  return [...new Set(fact.data.map((strings: RecordData['TXT']) => joinText(strings)))].sort().slice(0, MAX_TEXTS);
}

function failureOf({ outcome }: DnsFact): string {
  return outcome;
}
