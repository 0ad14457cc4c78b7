import { startApi, type Caching, type LimitSettings } from '@dmarc-ledger/api-service';
import { startIngester } from '@dmarc-ledger/ingester-service';
import { claimDataDir } from '@dmarc-ledger/local-postgres';
import { openMetrics, startAdmin, type Logger, type Use } from '@dmarc-ledger/runtime';
import { startScheduler } from '@dmarc-ledger/scheduler-service';
import { startWorker, type LookupOptions } from '@dmarc-ledger/worker-service';
import { firstOrganization, type FirstOrganization } from './first-organization.ts';
import { answers, showDatabase } from './house-figures.ts';
import { openHouse, type House, type HouseOptions } from './house.ts';
import { listening } from './listening.ts';

export { houseEnv, openDatabaseServer, openHouse, type House, type HouseOptions } from './house.ts';
export { ingestPaths, type IngestNeeds, type IngestSummary } from './ingest-paths.ts';
export { answers, showDatabase } from './house-figures.ts';
export { startHelpers } from './helpers.ts';
export { listening } from './listening.ts';
export { takeInSamples } from './sample-intake.ts';
export { withDatabase } from './unusable.ts';

export const VERSION = '0.1.0';

export interface StandaloneOptions extends HouseOptions, LookupOptions, LimitSettings, Caching {
  HOST: string;
  PORT: number;
  INGEST_PORT: number;
  ADMIN_HOST: string;
  ADMIN_PORT: number;
  MAILBOX_LEASE?: 'on' | 'off';
}

export interface Standalone {
  house: House;
  first: FirstOrganization;
  apiUrl: string;
  uploadUrl: string;
}

/** All services as one process. One instance at a time on a data folder. */
export async function startStandalone(
  options: StandaloneOptions,
  use: Use,
  log: Logger,
  onProgress: (line: string) => void,
): Promise<Standalone> {
  use(claimDataDir(options.DATA_DIR, 'start'), (claim) => claim.release());
  const house = use(await openHouse(options, onProgress), (opened) => opened.close());
  const { database, databaseUrl, redisUrl, blobs, secrets } = house;
  const first = await firstOrganization(database.db, house.dataDir);
  const metrics = use(openMetrics({ service: 'standalone', version: VERSION }), (opened) => opened.close());
  showDatabase(metrics, database);
  use(startScheduler({ database, log, enrichment: options.ENRICHMENT === 'on', domains: true, metrics }), (scheduler) =>
    scheduler.close(),
  );
  const worker = use(
    await startWorker({ database, databaseUrl, redisUrl, blobs, lookups: options, log, metrics }),
    (running) => running.close(),
  );
  const upload = { host: options.HOST, port: options.INGEST_PORT };
  const mailboxes = secrets && { secrets, lease: options.MAILBOX_LEASE !== 'off' };
  const ingester = use(
    await listening('INGEST_PORT', () => startIngester({ database, blobs, log, upload, mailboxes, metrics })),
    (running) => running.close(),
  );
  const sharing = { databaseUrl, redisUrl };
  const listenAt = { host: options.HOST, port: options.PORT };
  const api = use(
    await listening('PORT', () =>
      startApi({ ...listenAt, ...sharing, log, metrics, limits: options, caching: options }),
    ),
    (running) => running.close(),
  );
  const ready = async () => ({ queue: await worker.isUp(), database: await answers(database) });
  use(await startAdmin({ host: options.ADMIN_HOST, port: options.ADMIN_PORT, metrics, ready }), (admin) =>
    admin.close(),
  );
  return { house, first, apiUrl: api.url, uploadUrl: ingester.uploadUrl! };
}
