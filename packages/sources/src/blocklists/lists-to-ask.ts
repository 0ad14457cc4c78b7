import { isIPv6 } from 'node:net';
import type { Blocklist } from './blocklist.ts';
import type { CheckScope } from './verdict.ts';

export type IpFamily = 'v4' | 'v6';

/** A list with its zone for this family. */
export interface ListToAsk {
  list: Blocklist;
  zone: string;
  family: IpFamily;
}

/**
 * Returns the lists to query. A list that is off, or does not support the family, is neither queried nor counted; the
 * caller removes suspended ones.
 */
export function listsToAsk(lists: readonly Blocklist[], ip: string, scope: CheckScope): ListToAsk[] {
  const family: IpFamily = isIPv6(ip) ? 'v6' : 'v4';
  return lists
    .filter(({ enabled, ingest }) => enabled && (ingest || scope === 'full'))
    .flatMap((list) => {
      const zone = list.zone[family];
      return zone === undefined ? [] : [{ list, zone, family }];
    });
}

/** A source with failures, or with this many messages, gets a full check. */
export const FULL_CHECK_MESSAGES = 100;

export function deservesFullCheck({ messages, failing }: { messages: number; failing: number }): boolean {
  return failing > 0 || messages >= FULL_CHECK_MESSAGES;
}
