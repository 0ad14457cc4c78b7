import { canonicalIp } from '@dmarc-ledger/vocabulary';
import type { Blocklist } from './blocklist.ts';
import { interpretAnswer, type ListResult } from './interpret-answer.ts';

/** The code of a feed's listing, where zones answer with an address. */
const LISTED = '127.0.0.2';
const MAX_ADDRESSES = 1_000_000;

/** Reads a list in a file: one address a line, in its first field; comments begin with `#` or `;`. */
export function readAddressFeed(text: string): Set<string> {
  const addresses = new Set<string>();
  for (const line of text.split('\n')) {
    const ip = canonicalIp(line.split(/[\s,;#"]+/).find((field) => field !== '') ?? '');
    if (ip !== undefined && addresses.size < MAX_ADDRESSES) addresses.add(ip);
  }
  return addresses;
}

/** Returns the result of a feed for an address in canonical form. */
export function judgeByFeed(list: Blocklist, feed: ReadonlySet<string>, ip: string): ListResult {
  return interpretAnswer(list, feed.has(ip) ? { outcome: 'addresses', addresses: [LISTED] } : { outcome: 'nxdomain' });
}
