/** The calls in a UTC day. Processes that share a key use a shared implementation. */
export interface CallBudget {
  /** Undefined if a call may be made; else the instant before which none may. */
  take(): Promise<Date | undefined>;
  /** Records the calls left, and until when, as the service reports them. */
  record(left: { remaining: number; resetAt?: Date }): void;
  /** The service has refused: no calls before this instant. */
  closeUntil(instant: Date): void;
  /** The calls left today, as far as known. */
  readonly remaining: number;
}

const DAY_MS = 86_400_000;

/** A budget for this process only. */
export function dailyBudget(limit: number, now: () => Date = () => new Date()): CallBudget {
  let day = -1;
  let left = limit;
  let closedUntil = new Date(0);
  const turn = () => {
    const today = Math.floor(now().getTime() / DAY_MS);
    if (today === day) return;
    day = today;
    left = limit;
  };
  return {
    take() {
      turn();
      if (closedUntil > now()) return Promise.resolve(closedUntil);
      if (left <= 0) return Promise.resolve(new Date((day + 1) * DAY_MS));
      left -= 1;
      return Promise.resolve(undefined);
    },
    record({ remaining, resetAt }) {
      turn();
      left = Math.min(left, Math.max(remaining, 0));
      if (remaining <= 0 && resetAt && resetAt > closedUntil) closedUntil = resetAt;
    },
    closeUntil(instant) {
      if (instant > closedUntil) closedUntil = instant;
    },
    get remaining() {
      turn();
      return closedUntil > now() ? 0 : left;
    },
  };
}
