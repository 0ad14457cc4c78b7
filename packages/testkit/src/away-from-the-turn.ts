import { setTimeout as sleep } from 'node:timers/promises';

const HOUR_MS = 3_600_000;
const CLOSE_MS = 45_000;

/**
 * Waits for the next hour where this one is nearly over, for tests that must run within one hour of the real clock; or
 * for the next of other periods.
 */
export async function awayFromTheTurn(periodMs = HOUR_MS): Promise<void> {
  const left = periodMs - (Date.now() % periodMs);
  if (left < CLOSE_MS) await sleep(left + 1_000);
}
