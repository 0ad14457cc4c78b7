import type { Ask } from '../ask.ts';
import { isSamePolicy, readMtaStsPolicy, type MtaStsPolicy } from '../records/mta-sts-policy.ts';
import type { CheckContext, FetchedPolicy, HeldPolicy } from './check.ts';

const PATH = '/.well-known/mta-sts.txt';
const DAY_MS = 86_400_000;
/** Earlier policies that are remembered, newest first. */
const MOST = 5;

/**
 * Fetches the policy if its id has changed, or the last fetch is a day old, or older than the policy's lifetime. (RFC
 * 8461, 3.3)
 */
export async function policyOf(
  ask: Ask,
  { domain, now, mtaSts: kept }: CheckContext,
  id: string,
): Promise<FetchedPolicy | { reason: string } | 'silent'> {
  const goodMs = kept?.id === id && !kept.isStale ? Math.min(DAY_MS, kept.policy.maxAge * 1_000) : 0;
  if (kept && now.getTime() - kept.fetchedAt < goodMs) return kept;
  const fetched = await ask.fetch(`mta-sts.${domain}`, PATH);
  if (fetched.kind === 'silent') return 'silent';
  if (fetched.kind === 'rejected') return { reason: fetched.reason };
  const policy = readMtaStsPolicy(fetched.body);
  if ('reason' in policy) return policy;
  const earlier = kept?.id === id ? earlierOf(kept, policy, now) : [];
  return { id, fetchedAt: now.getTime(), policy, ...(earlier.length > 0 && { earlier }) };
}

/**
 * Senders fetch no other policy while the id is that of the one they hold, whichever of those with this id it is. (RFC
 * 8461, 3.1)
 */
function earlierOf(kept: FetchedPolicy, policy: MtaStsPolicy, now: Date): HeldPolicy[] {
  const before = { policy: kept.policy, goodUntil: now.getTime() + kept.policy.maxAge * 1_000 };
  const others = (kept.earlier ?? []).filter((held) => !isSamePolicy(held.policy, kept.policy));
  return stillHeld([before, ...others], now)
    .filter((held) => !isSamePolicy(held.policy, policy))
    .slice(0, MOST);
}

/** Those that a sender may hold at this moment. */
export function stillHeld(policies: readonly HeldPolicy[] | undefined, now: Date): HeldPolicy[] {
  return (policies ?? []).filter(({ goodUntil }) => goodUntil > now.getTime());
}

/** Policies that senders may still hold where the domain announces none any more, and enforce. (RFC 8461, 8.3) */
export function enforcedStill(kept: FetchedPolicy | undefined, now: Date): MtaStsPolicy[] {
  if (!kept) return [];
  const served = { policy: kept.policy, goodUntil: kept.fetchedAt + kept.policy.maxAge * 1_000 };
  return stillHeld([served, ...(kept.earlier ?? [])], now)
    .map(({ policy }) => policy)
    .filter(({ mode }) => mode === 'enforce');
}
