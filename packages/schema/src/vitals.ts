const MINUTE_MS = 60_000;
const KEPT = 1_000;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The recent state of the database as this process has observed it. */
export interface Vitals {
  committed(ms: number): void;
  /** The database reported that a disk, memory or connections are used up. (SQLSTATE class 53) */
  exhausted(): void;
  /** A transaction was retried because of this SQLSTATE, or a lost connection (empty). */
  retried(sqlstate: string): void;
  /** The number of retries since the start, by SQLSTATE; `connection` where there was none. */
  retries(): ReadonlyMap<string, number>;
  /**
   * The 95th percentile of the last minute's commit times, 0 without any; and whether a resource was exhausted in it.
   */
  lastMinute(): { commitMs: number; isExhausted: boolean };
  /** Whether a resource was exhausted within this many milliseconds. */
  isExhaustedSince(ms: number): boolean;
}

export function watchVitals(): Vitals {
  const commits: { at: number; ms: number }[] = [];
  const retries = new Map<string, number>();
  let exhaustedAt = -Infinity;
  return {
    committed(ms) {
      commits.push({ at: performance.now(), ms });
      if (commits.length > KEPT) commits.shift();
    },
    exhausted() {
      exhaustedAt = performance.now();
    },
    retried(sqlstate) {
      const cause = SQLSTATE.test(sqlstate) ? sqlstate : 'connection';
      retries.set(cause, (retries.get(cause) ?? 0) + 1);
    },
    retries: () => retries,
    isExhaustedSince: (ms) => performance.now() - exhaustedAt < ms,
    lastMinute() {
      const since = performance.now() - MINUTE_MS;
      const recent = commits
        .filter(({ at }) => at > since)
        .map(({ ms }) => ms)
        .toSorted((a, b) => a - b);
      return { commitMs: recent[Math.floor(recent.length * 0.95)] ?? 0, isExhausted: exhaustedAt > since };
    },
  };
}
