import type { HeldHealth } from '@dmarc-ledger/queries';
import { AnswerCache } from './answer-cache.ts';
import type { OverviewBody } from './bodies/overview-schema.ts';

export type ComputedHealth = Pick<HeldHealth, 'body' | 'computedAt'>;

/** How long unchanged responses are cached, in seconds. */
export interface Caching {
  OVERVIEW_CACHE_SECONDS: number;
  HEALTH_CACHE_SECONDS: number;
}

/** The caches of expensive responses in this process. */
export interface ResponseCaches {
  overviews: AnswerCache<OverviewBody>;
  /** The maximum age of a health computed by jobs, in milliseconds. */
  healthMs: number;
  /** Healths computed on request, shared by concurrent requests. */
  healths: AnswerCache<ComputedHealth>;
}

const USUAL: Caching = { OVERVIEW_CACHE_SECONDS: 300, HEALTH_CACHE_SECONDS: 3_600 };

export function responseCaches({ OVERVIEW_CACHE_SECONDS, HEALTH_CACHE_SECONDS }: Caching = USUAL): ResponseCaches {
  return {
    overviews: new AnswerCache(OVERVIEW_CACHE_SECONDS * 1_000),
    healthMs: HEALTH_CACHE_SECONDS * 1_000,
    healths: new AnswerCache(0),
  };
}
