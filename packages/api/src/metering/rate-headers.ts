import type { Window } from '@dmarc-ledger/limits';
import type { Headers } from '../http/headers.ts';

const WINDOW_SECONDS = 3600;

/** When the window ends, in epoch seconds. */
export function resetOf({ hour }: Window): number {
  return (hour + 1) * WINDOW_SECONDS;
}

/** The requests left in the window; null without a quota. */
export function remainingOf({ limit, used }: Window): number | null {
  return limit === null ? null : Math.max(0, limit - used);
}

/**
 * The headers about the organization's hourly quota, in the two usual forms: the older `X-RateLimit-*`, and the
 * structured fields of the IETF's draft-ietf-httpapi-ratelimit-headers. None without a quota. (rules,
 * api/quota-headers)
 */
export function rateHeaders(window: Window): Headers {
  const remaining = remainingOf(window);
  if (remaining === null) return {};
  const reset = resetOf(window);
  return {
    'x-ratelimit-limit': String(window.limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(reset),
    'ratelimit-policy': `"hourly";q=${window.limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"hourly";r=${remaining};t=${reset - window.now}`,
  };
}
