import { isPublicAddress } from '../address/public-address.ts';
import { reversedLabels } from '../address/reverse-name.ts';
import type { AskOptions, DnsClient } from '../dns/dns-client.ts';
import { joinText, type RecordData } from '../dns/record.ts';
import { isSettled } from '../dns/dns-fact.ts';

/** The outcome of querying a blocklist's zone for an address. The sources package interprets it. */
export type ZoneFact =
  | { outcome: 'addresses'; addresses: readonly string[]; texts: readonly string[] }
  | { outcome: 'nxdomain' | 'nodata' }
  | { outcome: 'failed'; failure: string };

export interface ZoneOptions extends AskOptions {
  /** Which addresses may be queried for. Default: public ones, so that zones see no private networks. */
  isAllowed?: (ip: string) => boolean;
}

/** In 127/8, and not a refusal: worth a second query for the list's text. */
const MAYBE_LISTED = /^127\.(?!255\.255\.)/;
const MAX_TEXTS = 5;

/**
 * Sends an A query and, only if the address may be listed, a TXT query (RFC 5782, 2.1 and 2.4). A keyed zone's name is
 * a secret.
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
  if (!isSettled(fact)) return { outcome: 'failed', failure: fact.outcome };
  if (fact.outcome !== 'answer') return { outcome: fact.outcome };
  const addresses = fact.data.toSorted();
  const isListed = addresses.some((address) => MAYBE_LISTED.test(address));
  return { outcome: 'addresses', addresses, texts: isListed ? await textsOf(client, name, ask) : [] };
}

/** Queries for a test address, which is not public, or any other one as it is (RFC 5782, section 5). */
export function askCanary(client: DnsClient, zone: string, address: string): Promise<ZoneFact> {
  return askZone(client, zone, address, { fresh: true, isAllowed: () => true });
}

/** The texts are optional: without them the listing stands. */
async function textsOf(client: DnsClient, name: string, options: AskOptions): Promise<string[]> {
  const fact = await client.ask(name, 'TXT', options);
  if (fact.outcome !== 'answer') return [];
  return [...new Set(fact.data.map((strings: RecordData['TXT']) => joinText(strings)))].sort().slice(0, MAX_TEXTS);
}
