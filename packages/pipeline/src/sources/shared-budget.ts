import { takeCall, saveBudget } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import type { CallBudget } from '@dmarc-ledger/lookups';

/** A service's daily budget, counted in the database for all processes that share its key. */
export function sharedBudget(
  { db }: Pick<Database, 'db'>,
  service: string,
  callsPerDay: number,
  onFault: (message: string, error: unknown) => void,
): CallBudget {
  let remaining = callsPerDay;
  const save = (use: { spent?: number; refusedUntil?: Date }) =>
    void saveBudget(db, service, use).catch((error: unknown) => onFault('A budget could not be kept.', error));
  return {
    async take() {
      const until = await takeCall(db, service, callsPerDay);
      remaining = until ? 0 : Math.max(remaining - 1, 0);
      return until;
    },
    record({ remaining: left, resetAt }) {
      remaining = left;
      save({
        spent: callsPerDay - Math.min(left, callsPerDay),
        ...(left <= 0 && resetAt && { refusedUntil: resetAt }),
      });
    },
    closeUntil: (instant) => save({ refusedUntil: instant }),
    get remaining() {
      return remaining;
    },
  };
}
