import type { BlocklistVerdict } from './verdict.ts';

const HOUR_MS = 3_600_000;
const hours = { clean: 24, listed: 6, unproven: 1 };

/**
 * True if nothing is listed, and nothing is gained by querying sooner: the verdict is clean, or only suspended lists
 * keep it from being that.
 */
export function isUnlisted({ severity, errored }: Pick<BlocklistVerdict, 'severity' | 'errored'>): boolean {
  return severity === 'clean' || (severity === 'degraded' && errored === 0);
}

/** Milliseconds until the lists are queried again. (rules, reputation/time-of-a-verdict) */
export function checkAgainAfter(verdict: BlocklistVerdict): number {
  if (verdict.listed > 0) return hours.listed * HOUR_MS;
  return (isUnlisted(verdict) ? hours.clean : hours.unproven) * HOUR_MS;
}
