const BASE_MS = 2_000;
const CAP_MS = 15 * 60_000;

/**
 * How long to wait before the next try: doubling from two seconds to a quarter of an hour, spread over its upper half.
 */
export function backoff(attemptsMade: number, baseMs: number = BASE_MS): number {
  const full = Math.min(baseMs * 2 ** (attemptsMade - 1), CAP_MS);
  return Math.round(full * (0.5 + Math.random() / 2));
}
