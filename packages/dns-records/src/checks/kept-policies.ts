import type { Ask } from '../ask.ts';
import { isSamePolicy, readMtaStsPolicy, type MtaStsPolicy } from '../records/mta-sts-policy.ts';
import type { CheckContext, FetchedPolicy } from './check.ts';

const PATH = '/.well-known/mta-sts.txt';
const DAY_MS = 86_400_000;

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
  const earlier = kept?.id === id ? earlierOf(kept, policy, now) : undefined;
  return { id, fetchedAt: now.getTime(), policy, ...(earlier && { earlier }) };
}

/** Senders fetch no other policy while the id is that of the one they hold. (RFC 8461, 3.1) */
function earlierOf(kept: FetchedPolicy, policy: MtaStsPolicy, now: Date): FetchedPolicy['earlier'] {
  const before = { policy: kept.policy, goodUntil: now.getTime() + kept.policy.maxAge * 1_000 };
  const earlier = kept.earlier ?? before;
  return earlier.goodUntil > now.getTime() && !isSamePolicy(earlier.policy, policy) ? earlier : undefined;
}

/** Policies that senders may still hold where the domain announces none any more, and enforce. (RFC 8461, 8.3) */
export function enforcedStill(kept: FetchedPolicy | undefined, now: Date): MtaStsPolicy[] {
  if (!kept) return [];
  const served = { policy: kept.policy, goodUntil: kept.fetchedAt + kept.policy.maxAge * 1_000 };
  return [served, ...(kept.earlier ? [kept.earlier] : [])]
    .filter(({ policy, goodUntil }) => policy.mode === 'enforce' && goodUntil > now.getTime())
    .map(({ policy }) => policy);
}
