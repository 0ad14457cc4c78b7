import { startIngester } from '@dmarc-ledger/ingester-service';
import { RecentReports } from '@dmarc-ledger/pipeline';
import type { Logger, Use } from '@dmarc-ledger/runtime';
import { startScheduler } from '@dmarc-ledger/scheduler-service';
import { startWorker } from '@dmarc-ledger/worker-service';
import type { Installation } from './installation.ts';

/**
 * The workers that a command needs to finish its own work when no service runs on the ledger; harmless beside services.
 */
export async function startHelpers(installation: Installation, use: Use, log: Logger): Promise<void> {
  const { database, databaseUrl, redisUrl, blobs, areAddressesLookedUp } = installation;
  const recent = new RecentReports();
  use(startScheduler({ database, log }), (scheduler) => scheduler.close());
  const needs = { database, databaseUrl, redisUrl, blobs, areAddressesLookedUp, recent, log };
  use(await startWorker(needs), (worker) => worker.close());
  use(await startIngester({ database, blobs, recent, log }), (ingester) => ingester.close());
}
