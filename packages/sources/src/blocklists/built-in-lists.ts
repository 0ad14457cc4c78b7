import type { Blocklist } from './blocklist.ts';
import { operatorLists } from './operator-lists.ts';
import { spamhausZen } from './spamhaus-zen.ts';
import { volunteerLists } from './volunteer-lists.ts';

/**
 * The lists by rank, with their codes, terms and delisting pages. (rules, reputation/lists) Terms change: operators
 * read them before they query the lists.
 */
export const builtInLists: readonly Blocklist[] = [spamhausZen, ...operatorLists, ...volunteerLists].sort(
  (a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1),
);

/**
 * Lists that have shut down, some of which then listed every address. They, and all zones below them, are never
 * queried.
 */
export const deadZones: readonly string[] = [
  'sorbs.net',
  'ix.dnsbl.manitu.net',
  'cbl.abuseat.org',
  'ubl.unsubscore.com',
  'dnsbl.inps.de',
  'dnsbl.njabl.org',
  'ahbl.org',
  'dsbl.org',
  'relays.ordb.org',
  'bl.spamcannibal.org',
  'megarbl.net',
  'bl.emailbasura.org',
  'msrbl.net',
  'rfc-ignorant.org',
  'rfc-ignorant.de',
  'abuse.ch',
  'swl.spamhaus.org',
  'dwl.spamhaus.org',
];

/** True for a zone that has shut down, or is below one that has. */
export function isDeadZone(zone: string): boolean {
  return deadZones.some((dead) => zone === dead || zone.endsWith(`.${dead}`));
}
