import type { Tier } from './blocklist.ts';
import type { BlocklistSeverity } from './severity.ts';

const weights: { readonly [tier in Tier]: number } = { 0: 1, 1: 5, 2: 25, 3: 60, 4: 90 };
const caps: { readonly [Severity in BlocklistSeverity]: number } = {
  unchecked: 0,
  clean: 0,
  degraded: 0,
  advisory: 24,
  warning: 59,
  critical: 100,
};

/** The most severe listing in full, a quarter of all the others, and no more than the maximum of its severity. */
export function scoreOf(severity: BlocklistSeverity, listings: readonly { tier: Tier }[]): number {
  const [gravest = 0, ...others] = listings.map(({ tier }) => weights[tier]).sort((a, b) => b - a);
  const rest = others.reduce((sum, weight) => sum + weight, 0);
  return Math.min(caps[severity], gravest + Math.floor(rest / 4));
}
