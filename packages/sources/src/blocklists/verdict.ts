import { isEnforced, type Tier } from './blocklist.ts';
import type { ListResult } from './interpret-answer.ts';
import { listingsInOrder, type Listing } from './listing-order.ts';
import { scoreOf } from './score.ts';
import type { BlocklistSeverity } from './severity.ts';
import type { SuspendedList } from './standing-listings.ts';
import { summarize } from './summary.ts';

export type Urgency = 'none' | 'monitor' | 'soon' | 'now';
/** Which lists are queried: a few at once when a report first mentions the address, or all of them. */
export type CheckScope = 'ingest' | 'full';

/** The verdict of all lists together on an address. (rules, reputation/blocklist-verdict) */
export interface BlocklistVerdict {
  severity: BlocklistSeverity;
  listed: number;
  clean: number;
  errored: number;
  /** listed + clean */
  checked: number;
  /** Lists queried: checked + errored. */
  total: number;
  /** 0 best, 100 worst. */
  score: number;
  /** Names of the lists with the address, most severe first; absent if there are none. */
  names?: string[];
  topList?: string;
  topReason?: string;
  topTier?: Tier;
  /** The best ranked list without an answer. */
  topErrored?: string;
  hasMalwareC2: boolean;
  /** The most severe list that says so. */
  malwareList?: string;
  urgency: Urgency;
  summary: string;
  /** Absent for a full check, and if no list was queried. */
  scope?: 'ingest';
  /** The tiers of all listings, highest first. For the classification, not for the API. */
  tiers: Tier[];
  /** True if a list of Tor exits contains it. For the classification, not for the API. */
  hasTorExit: boolean;
  /** Set if no listing that this check confirmed gives the severity. For events, not for the API. */
  isUnconfirmed?: true;
}

const urgencies: { readonly [Severity in BlocklistSeverity]: Urgency } = {
  critical: 'now',
  warning: 'soon',
  advisory: 'monitor',
  degraded: 'monitor',
  clean: 'none',
  unchecked: 'none',
};

/**
 * Combines one result for each list that was queried, without those that lack the family, and one for each listing that
 * stands. Suspended lists are not counted, but without any answer of an enforced list the evidence is thin.
 */
export function judgeBlocklists(
  results: readonly ListResult[],
  scope: CheckScope,
  suspended: readonly SuspendedList[] = [],
): BlocklistVerdict {
  const listings = listingsInOrder(results);
  const errors = results.filter(({ status }) => status === 'error').sort(byRank);
  const severity = severityOf(results, listings, suspended);
  const confirmed = listings.filter(({ unconfirmed }) => !unconfirmed);
  const isUnconfirmed = listings[0] !== undefined && listedSeverity(confirmed) !== severity;
  const total = results.length;
  const malware = listings.find(({ category }) => category === 'malware_c2');
  const top = listings[0];
  const counts = {
    severity,
    listed: listings.length,
    clean: total - listings.length - errors.length,
    errored: errors.length,
    checked: total - errors.length,
    total,
  };
  return {
    ...counts,
    score: scoreOf(severity, listings),
    ...(top && { names: listings.map(({ name }) => name), topList: top.name, topTier: top.tier }),
    ...(top?.reason && { topReason: top.reason }),
    ...(errors[0] && { topErrored: errors[0].name }),
    hasMalwareC2: malware !== undefined,
    ...(malware && { malwareList: malware.name }),
    urgency: urgencies[severity],
    summary: summarize({ ...counts, listings }),
    ...(scope === 'ingest' && total > 0 && { scope }),
    tiers: [...new Set(listings.map(({ tier }) => tier))],
    hasTorExit: listings.some(({ category }) => category === 'tor'),
    ...(isUnconfirmed && { isUnconfirmed }),
  };
}

function severityOf(
  results: readonly ListResult[],
  listings: readonly Listing[],
  suspended: readonly SuspendedList[],
): BlocklistSeverity {
  if (results.length === 0) return 'unchecked';
  return listedSeverity(listings) ?? (hasThinEvidence(results, suspended) ? 'degraded' : 'clean');
}

/** The severity by the first of the listings, the most severe. */
function listedSeverity([top]: readonly Listing[]): BlocklistSeverity | undefined {
  return top && (top.tier >= 3 ? 'critical' : top.tier === 2 ? 'warning' : 'advisory');
}

/** True if fewer than half of the lists answered, or none of those that receivers enforce. */
function hasThinEvidence(results: readonly ListResult[], suspended: readonly SuspendedList[]): boolean {
  const answered = results.filter(({ status }) => status !== 'error');
  if (answered.length * 2 < results.length) return true;
  const areEnforcedUsed = results.some(({ enforced }) => enforced) || suspended.some(({ list }) => isEnforced(list));
  return areEnforcedUsed && !answered.some(({ enforced }) => enforced);
}

function byRank(a: ListResult, b: ListResult): number {
  return a.rank - b.rank || (a.name < b.name ? -1 : 1);
}
