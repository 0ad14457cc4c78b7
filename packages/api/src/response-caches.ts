import type { EnforcementStage, HeldHealth } from '@dmarc-ledger/queries';
import { AnswerCache } from './answer-cache.ts';
import type { SendersBody } from './bodies/senders-schema.ts';
import type { EnforcementBody } from './bodies/enforcement-schema.ts';
import type { OrgCoverageBody } from './bodies/org-coverage.ts';
import type { OrgOverview } from './bodies/org-overview.ts';
import type { BulkSenderBody } from './bodies/bulk-sender-schema.ts';
import type { CoverageBody } from './bodies/coverage-schema.ts';
import type { DkimKeysBody } from './bodies/dkim-keys-schema.ts';
import type { SpfBody } from './bodies/spf-schema.ts';

export type ComputedHealth = Pick<HeldHealth, 'body' | 'computedAt'>;

/** How long unchanged responses are cached, in seconds. */
export interface Caching {
  OVERVIEW_CACHE_SECONDS: number;
  HEALTH_CACHE_SECONDS: number;
}

/** The caches of expensive responses in this process. */
export interface ResponseCaches {
  overviews: AnswerCache<OrgOverview>;
  /** Pages of the sender inventory. */
  senders: AnswerCache<SendersBody>;
  /** What a stricter policy would do, by domain and window. */
  enforcements: AnswerCache<EnforcementBody>;
  /** Where the domains of an organization stand on the path to reject, by window. */
  enforcementStages: AnswerCache<EnforcementStage[]>;
  /** The DKIM keys of domains. */
  dkimKeys: AnswerCache<DkimKeysBody>;
  /** The SPF trees of domains, and what of them mail needs. */
  spfs: AnswerCache<SpfBody>;
  /** How much the figures show, by domain and window. */
  coverages: AnswerCache<CoverageBody>;
  /** How domains stand with the rules for bulk senders. */
  bulkSenders: AnswerCache<BulkSenderBody>;
  /**
   * How much the figures of an organization and of its domains show: estimates, which read the reports of 90 days, so
   * those of a large organization may be older than its sums.
   */
  orgCoverages: AnswerCache<OrgCoverageBody>;
  /** The maximum age of a health computed by jobs, in milliseconds. */
  healthMs: number;
  /** Healths computed on request, shared by concurrent requests. */
  healths: AnswerCache<ComputedHealth>;
}

const USUAL: Caching = { OVERVIEW_CACHE_SECONDS: 300, HEALTH_CACHE_SECONDS: 3_600 };

export function responseCaches({ OVERVIEW_CACHE_SECONDS, HEALTH_CACHE_SECONDS }: Caching = USUAL): ResponseCaches {
  return {
    overviews: new AnswerCache(OVERVIEW_CACHE_SECONDS * 1_000),
    senders: new AnswerCache(OVERVIEW_CACHE_SECONDS * 1_000),
    enforcements: new AnswerCache(OVERVIEW_CACHE_SECONDS * 1_000),
    enforcementStages: new AnswerCache(OVERVIEW_CACHE_SECONDS * 1_000, {
      isFinal: (stages) => stages.every(({ isJudged }) => isJudged),
    }),
    dkimKeys: new AnswerCache(OVERVIEW_CACHE_SECONDS * 1_000),
    spfs: new AnswerCache(OVERVIEW_CACHE_SECONDS * 1_000),
    coverages: new AnswerCache(OVERVIEW_CACHE_SECONDS * 1_000),
    bulkSenders: new AnswerCache(OVERVIEW_CACHE_SECONDS * 1_000),
    orgCoverages: new AnswerCache(OVERVIEW_CACHE_SECONDS * 1_000, { patience: 50 }),
    healthMs: HEALTH_CACHE_SECONDS * 1_000,
    healths: new AnswerCache(0),
  };
}
