import type { RunningService, Use } from '@dmarc-ledger/runtime';
import type { WorkerEnv } from './env.ts';
import { retentionOf } from './retention.ts';
import { startWorker, type WorkerNeeds } from './service.ts';

export type WorkerHost = Omit<WorkerNeeds, 'concurrency' | 'lookups' | 'areAddressesLookedUp' | 'retention'>;

/** Runs the worker with the environment's settings, on the database, blobs and queue of its host. */
export async function main(env: WorkerEnv, host: WorkerHost, use: Use): Promise<RunningService> {
  const settings = {
    concurrency: env.WORKER_CONCURRENCY,
    lookups: env,
    areAddressesLookedUp: env.ENRICHMENT === 'on',
    retention: retentionOf(env),
  };
  const worker = use(await startWorker({ ...host, ...settings }), (running) => running.close());
  return { address: null, isUp: () => worker.isUp() };
}
