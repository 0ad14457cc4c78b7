import { isIPv6 } from 'node:net';
import type { Blocklist } from './blocklist.ts';
import type { CheckScope } from './verdict.ts';

export type IpFamily = 'v4' | 'v6';

/** A list and the zone of it that knows addresses of this family. */
export interface ListToAsk {
  list: Blocklist;
  zone: string;
  family: IpFamily;
}

/**
 * The lists that a check consults. One that is off, or does not know the family, is neither consulted nor counted; for
 * one that is suspended the caller sees to it.
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

/** A full check is worth its queries for a source with failures, or with this many messages. */
export const FULL_CHECK_MESSAGES = 100;

export function deservesFullCheck({ messages, failing }: { messages: number; failing: number }): boolean {
  return failing > 0 || messages >= FULL_CHECK_MESSAGES;
}
