import type { Database } from '@dmarc-ledger/schema';
import { runSpotChecks, runSweep } from '@dmarc-ledger/pipeline';
import type { Logger, Metrics } from '@dmarc-ledger/runtime';
import { runPlans, type PlanChoice } from './plans.ts';
import { showRhythm } from './schedule-metrics.ts';

export interface SchedulerNeeds extends PlanChoice {
  database: Database;
  log: Logger;
  /** Work without progress for this long is announced once more. */
  staleAfterSeconds?: number;
  everyMs?: number;
  /** The metrics of the process, to which it adds its own; without them, it counts nothing. */
  metrics?: Metrics | undefined;
}

/** Runs periodic work: finds lost work and announces it again, plans what is due, and watches. Any number may run. */
export function startScheduler(needs: SchedulerNeeds): { close(): Promise<void> } {
  const { database, log, staleAfterSeconds, everyMs, metrics } = needs;
  const figures = metrics && showRhythm(metrics, database);
  const ending = new AbortController();
  const warn = (event: string) => (message: string, error: unknown) => log.warn({ event, error }, message);
  const sweeping = runSweep(
    {
      database,
      staleAfterSeconds,
      everyMs,
      onFault: warn('sweep.failed'),
      onFound: (jobs) => {
        log.info({ event: 'sweep.requeued', jobs }, 'unfinished work announced again');
        figures?.found(jobs);
      },
    },
    ending.signal,
  );
  const checking = runSpotChecks(
    {
      database,
      onFault: warn('spot_check.failed'),
      onMismatch(orgId, drift) {
        log.error({ event: 'rollup.mismatch', orgId, drift }, 'sums differ from what they are made of');
        figures?.mismatched(drift.reduce((sum, { rows }) => sum + rows, 0));
      },
    },
    ending.signal,
  );
  const planning = runPlans(database, needs, warn, ending.signal);
  return {
    async close() {
      ending.abort();
      await Promise.all([sweeping, checking, planning]);
    },
  };
}
