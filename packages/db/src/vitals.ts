const MINUTE_MS = 60_000;
const KEPT = 1_000;

/** How the database has been of late, as this process felt it. */
export interface Vitals {
  committed(ms: number): void;
  /** It said that a disk, memory or connections are used up. (SQLSTATE class 53) */
  exhausted(): void;
  /** The 95th percentile of the last minute's commits, 0 without any; and whether anything was used up in it. */
  lastMinute(): { commitMs: number; isExhausted: boolean };
}

export function watchVitals(now: () => number = Date.now): Vitals {
  const commits: { at: number; ms: number }[] = [];
  let exhaustedAt = -Infinity;
  return {
    committed(ms) {
      commits.push({ at: now(), ms });
      if (commits.length > KEPT) commits.shift();
    },
    exhausted() {
      exhaustedAt = now();
    },
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
