import type { ItemsAlike, Score } from '@dmarc-ledger/scoring';
import type { OverviewBody } from './overview-schema.ts';

/** The answer of `/dashboard/overview`, and what its score and its number of open items are made of. */
export interface OrgOverview {
  body: OverviewBody;
  score: Score;
  /** As many as `total_pending`. */
  items: ItemsAlike[];
}
