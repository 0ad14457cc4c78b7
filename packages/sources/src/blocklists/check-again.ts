import type { BlocklistVerdict } from './verdict.ts';

const HOUR_MS = 3_600_000;
const hours = { clean: 24, listed: 6, unproven: 1 };

/** Milliseconds until the lists are queried again. (rules, reputation/time-of-a-verdict) */
export function checkAgainAfter({ severity, listed }: Pick<BlocklistVerdict, 'severity' | 'listed'>): number {
  if (listed > 0) return hours.listed * HOUR_MS;
  return (severity === 'clean' ? hours.clean : hours.unproven) * HOUR_MS;
}
