const MINUTE_MS = 60_000;
const KEPT = 1_000;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** How the database has been of late, as this process felt it. */
export interface Vitals {
  committed(ms: number): void;
  /** It said that a disk, memory or connections are used up. (SQLSTATE class 53) */
  exhausted(): void;
  /** A transaction was begun anew because of this SQLSTATE, or of a connection that was lost (an empty one). */
  retried(sqlstate: string): void;
  /** How often that has happened since the start, by SQLSTATE; `connection` where there was none. */
  retries(): ReadonlyMap<string, number>;
  /** The 95th percentile of the last minute's commits, 0 without any; and whether anything was used up in it. */
  lastMinute(): { commitMs: number; isExhausted: boolean };
  /** Whether it has said within so many milliseconds that something was used up. */
  isExhaustedSince(ms: number): boolean;
}

export function watchVitals(now: () => number = Date.now): Vitals {
  const commits: { at: number; ms: number }[] = [];
  const retries = new Map<string, number>();
  let exhaustedAt = -Infinity;
  return {
    committed(ms) {
      commits.push({ at: now(), ms });
      if (commits.length > KEPT) commits.shift();
    },
    exhausted() {
      exhaustedAt = now();
    },
    retried(sqlstate) {
      const cause = SQLSTATE.test(sqlstate) ? sqlstate : 'connection';
      retries.set(cause, (retries.get(cause) ?? 0) + 1);
    },
    retries: () => retries,
    isExhaustedSince: (ms) => now() - exhaustedAt < ms,
    lastMinute() {
      const since = now() - MINUTE_MS;
      const recent = commits
        .filter(({ at }) => at > since)
        .map(({ ms }) => ms)
        .toSorted((a, b) => a - b);
      return { commitMs: recent[Math.floor(recent.length * 0.95)] ?? 0, isExhausted: exhaustedAt > since };
    },
  };
}
