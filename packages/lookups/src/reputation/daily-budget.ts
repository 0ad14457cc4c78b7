/** So many calls in a UTC day. Where processes share a key, whoever counts for all of them stands behind this. */
export interface CallBudget {
  /** Undefined: go on. Else the instant before which there is none to be had. */
  take(): Promise<Date | undefined>;
  /** The service has told how many are left, until when. */
  learn(told: { remaining: number; resetAt?: Date }): void;
  /** The service has refused: nothing before this instant. */
  closeUntil(instant: Date): void;
  /** Calls left today, as far as is known. */
  readonly remaining: number;
}

const DAY_MS = 86_400_000;

/** The budget of this process alone. */
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
    learn({ remaining, resetAt }) {
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
