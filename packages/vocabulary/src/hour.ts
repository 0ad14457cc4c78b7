const HOUR_MS = 3_600_000;

/** Returns the begin of an hour, counted from 1970-01-01 00:00 UTC. */
export function hourBegin(hour: number): Date {
  return new Date(hour * HOUR_MS);
}
