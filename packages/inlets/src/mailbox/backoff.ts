const FIRST_PAUSE_MS = 1_000;
/** A server that stops answering after a look is disconnected before this, at the latest. */
const LASTING_MS = 2 * 60_000;

/** How a session went until it failed. */
export interface Course {
  /** When the folder was first checked, by `performance.now()`; undefined: never. */
  lookedAt?: number;
  /** Mails were entered in the ledger, or put aside. */
  hasProgress: boolean;
}

/**
 * The number of consecutive failures after a session that failed. Earlier ones are forgotten when the session made
 * progress, or lasted. A look alone proves nothing: a server may end every session after it.
 */
export function failuresAfter(failures: number, { lookedAt, hasProgress }: Course, now: number): number {
  const hasLasted = lookedAt !== undefined && now - lookedAt >= LASTING_MS;
  return hasProgress || hasLasted ? 1 : failures + 1;
}

/**
 * From a second to the longest, doubling, with full jitter above the first half second, so that many mailboxes do not
 * return at once.
 */
export function pauseMs(failures: number, longestMs: number): number {
  const most = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), longestMs);
  return FIRST_PAUSE_MS / 2 + Math.random() * most;
}
