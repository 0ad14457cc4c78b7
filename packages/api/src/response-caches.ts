import type { HeldHealth } from '@dmarc-ledger/queries';
import { AnswerCache } from './answer-cache.ts';
import type { OverviewBody } from './v1/overview-schema.ts';

export type ComputedHealth = Pick<HeldHealth, 'body' | 'computedAt'>;

/** How long answers are kept when nothing that they tell has changed, in seconds. */
export interface Caching {
  OVERVIEW_CACHE_SECONDS: number;
  HEALTH_CACHE_SECONDS: number;
}

/** Answers that are caches to make, in this process. */
export interface ResponseCaches {
  overviews: AnswerCache<OverviewBody>;
  /** How old a health that jobs have computed may be, in milliseconds. */
  healthMs: number;
  /** Healths that are computed because somebody asks, shared by those who ask meanwhile. */
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
