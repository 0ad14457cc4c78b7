import { randomBytes, randomInt } from 'node:crypto';
import { type Drift, findSpotDrift, nextOrgToCheck } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { dayOf, repeatEvery } from '@dmarc-ledger/vocabulary';

const EVERY_MS = 60_000;
const DOMAINS = 20;
const ADDRESSES = 20;
const DAYS_BACK = 90;
const DAY_SECONDS = 86_400;

export interface SpotCheckNeeds {
  database: Database;
  everyMs?: number;
  onFault: (message: string, error: unknown) => void;
  /** Receives sums that differ from the records they are computed from. */
  onMismatch: (orgId: string, drift: Drift[]) => void;
}

/**
 * Recomputes a few sums, one organization after the other, until the signal ends it: those of yesterday and of one of
 * the last ninety days. `audit` checks all sums once; this checks some of them continuously.
 */
export async function runSpotChecks(
  { database: { db }, everyMs = EVERY_MS, onFault, onMismatch }: SpotCheckNeeds,
  signal: AbortSignal,
): Promise<void> {
  let after: string | null = null;
  const onError = (error: unknown) => onFault('Sums could not be checked.', error);
  await repeatEvery({ everyMs, onError }, signal, async () => {
    after = await nextOrgToCheck(db, after);
    const drift = after === null ? [] : await findSpotDrift(db, after, randomCheck());
    if (after !== null && drift.length > 0) onMismatch(after, drift);
  });
}

function randomCheck() {
  const now = Date.now() / 1000;
  const days = [1, randomInt(2, DAYS_BACK)].map((ago) => dayOf(now - ago * DAY_SECONDS));
  return { days, domains: DOMAINS, addresses: ADDRESSES, from: [...randomBytes(4)].join('.') };
}
