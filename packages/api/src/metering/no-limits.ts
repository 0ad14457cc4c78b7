import { findRequests } from '@dmarc-ledger/queries';
import type { Db } from '@dmarc-ledger/schema';
import { localLimiter, type Limiter } from '@dmarc-ledger/limits';

/** Enforces only the quota of the plan, and counts usage. */
export function noLimits(db: Db, now: () => Date): Limiter {
  const recorded = (orgId: string, hour: number) => findRequests(db, orgId, hour);
  return localLimiter({ abusePerMinute: Infinity, heavyConcurrency: Infinity, recorded, now });
}
