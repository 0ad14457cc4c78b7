/** A token bucket: each request takes a token, and tokens return at a steady rate. */
export interface BucketRule {
  perSecond: number;
  /** The tokens in a full bucket. */
  burst: number;
}

export interface Rules {
  key: BucketRule;
  org: BucketRule;
  heavy: BucketRule;
  /** Heavy work of an organization that may run at once. */
  slots: number;
}

/** Practically no limit, and a number that every backend can calculate with. */
const PLENTY = 1e9;
const BURST_PART = 15;
const LEAST_BURST = 40;
const HEAVY_PART = 2;

/**
 * Derives the limits from the one for a key: its organization may make twice as many requests, and half as many heavy
 * ones. A fifteenth of a minute's requests, but at least 40, may come at once; of heavy work a whole minute's.
 */
export function rulesOf({
  abusePerMinute,
  heavyConcurrency,
}: {
  abusePerMinute: number;
  heavyConcurrency: number;
}): Rules {
  const perMinute = Math.min(abusePerMinute, PLENTY);
  const burst = Math.max(LEAST_BURST, Math.ceil(perMinute / BURST_PART));
  const heavyPerMinute = Math.max(1, Math.ceil(perMinute / HEAVY_PART));
  return {
    key: { perSecond: perMinute / 60, burst },
    org: { perSecond: perMinute / 30, burst: 2 * burst },
    heavy: { perSecond: heavyPerMinute / 60, burst: heavyPerMinute },
    slots: Math.min(heavyConcurrency, PLENTY),
  };
}
