import type { Tier } from './blocklist.ts';
import type { ListResult } from './interpret-answer.ts';

/** A result with a listing. */
export type Listing = ListResult & { tier: Tier };

/** Returns the listings, most severe first: by tier, then by the rank of the list, then by its name. */
export function listingsInOrder(results: readonly ListResult[]): Listing[] {
  return results
    .filter(({ status }) => status === 'listed')
    .map((result) => ({ ...result, tier: result.tier ?? 0 }))
    .sort((a, b) => b.tier - a.tier || a.rank - b.rank || (a.name < b.name ? -1 : 1));
}
