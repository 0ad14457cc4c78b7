const HOUR_MS = 3_600_000;

/** The instant at which an hour, counted from the epoch, begins. */
export function hourBegin(hour: number): Date {
  return new Date(hour * HOUR_MS);
}
