import type { RunningService, Use } from '@dmarc-ledger/runtime';
import type { SchedulerEnv } from './env.ts';
import { startScheduler, type SchedulerNeeds } from './service.ts';

export type SchedulerHost = Pick<SchedulerNeeds, 'database' | 'log' | 'metrics' | 'version'>;

/** Runs the scheduler with the environment's settings, on the database of its host. */
export async function main(env: SchedulerEnv, host: SchedulerHost, use: Use): Promise<RunningService> {
  const { database, log, metrics, version } = host;
  const plans = { enrichment: env.ENRICHMENT === 'on', domains: true, purges: true };
  use(startScheduler({ database, log, metrics, ...(version !== undefined && { version }), ...plans }), (scheduler) =>
    scheduler.close(),
  );
  return { address: null };
}
