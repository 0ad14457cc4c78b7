import type { DmarcPolicy, EffectivePolicy } from '@dmarc-ledger/vocabulary';

const LEVEL: { readonly [name in DmarcPolicy]: number } = { none: 25, quarantine: 75, reject: 100 };
const BELOW: { readonly [name in DmarcPolicy]: number } = { none: 25, quarantine: 25, reject: 75 };

/** How far a domain has moved towards enforcement, 0 to 100; 0 without a policy. (rules, scores/policy-strength) */
export function policyStrength(policy: EffectivePolicy | undefined): number {
  if (!policy) return 0;
  const { p, sp = p } = policy;
  return round(0.8 * applied(p, policy) + 0.2 * applied(sp, policy));
}

function applied(name: DmarcPolicy, { pct, t }: EffectivePolicy): number {
  if (t) return BELOW[name];
  if (name === 'none') return LEVEL.none;
  return BELOW[name] + ((LEVEL[name] - BELOW[name]) * pct) / 100;
}

/** Rounds to two decimals, halves up. The error of the number must be far below one hundredth. */
export function round(value: number): number {
  return Math.floor(value * 100 + 0.5 + 1e-7) / 100;
}
