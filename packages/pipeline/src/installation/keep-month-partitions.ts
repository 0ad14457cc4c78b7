import { keepMonths } from '@dmarc-ledger/schema';
import { dayOf } from '@dmarc-ledger/vocabulary';
import { planAgain, type Planning } from '../plan-again.ts';

const EVERY_MS = 3_600_000;

/**
 * Makes and drops the month partitions of tables that are partitioned by month, until the signal ends it. Any number
 * may run.
 */
export async function runMonthPlan(needs: Planning, signal: AbortSignal): Promise<void> {
  await planAgain('Partitions of months', { everyMs: EVERY_MS, ...needs }, signal, async () => {
    await keepMonths(needs.database, dayOf(Math.floor(Date.now() / 1_000)), signal);
    return 0;
  });
}
