import { startApi, type Caching, type LimitSettings } from '@dmarc-ledger/api-service';
import { startIngester } from '@dmarc-ledger/ingester-service';
import { claimDataDir } from '@dmarc-ledger/local-postgres';
import {
  openMetrics,
  openTracing,
  startAdmin,
  type Logger,
  type TracingOptions,
  type Use,
} from '@dmarc-ledger/runtime';
import { startScheduler } from '@dmarc-ledger/scheduler-service';
import {
  retentionOf,
  startWorker,
  type DeliveryOptions,
  type LookupOptions,
  type RetentionOptions,
} from '@dmarc-ledger/worker-service';
import { firstOrganization, type FirstOrganization } from './first-organization.ts';
import { showDatabase } from './database-metrics.ts';
import { openInstallation, type Installation, type InstallationOptions } from './installation.ts';
import { listening } from './listening.ts';
import { readinessOf } from './readiness.ts';
import { withDataDir } from './unusable.ts';
import { VERSION } from './version.ts';

const STANDALONE = { service: 'standalone', version: VERSION };

export interface StandaloneOptions
  extends
    InstallationOptions,
    LookupOptions,
    DeliveryOptions,
    RetentionOptions,
    LimitSettings,
    Caching,
    TracingOptions {
  HOST: string;
  PORT: number;
  INGEST_PORT: number;
  ADMIN_HOST: string;
  ADMIN_PORT: number;
  MAILBOX_LEASE?: 'on' | 'off';
}

export interface Standalone {
  installation: Installation;
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
  const { DATA_DIR } = options;
  use(await withDataDir(DATA_DIR, async () => claimDataDir(DATA_DIR, 'start')), (claim) => claim.release());
  const installation = use(await openInstallation(options, onProgress), (opened) => opened.close());
  const { database, databaseUrl, redisUrl, blobs, secrets } = installation;
  const first = await firstOrganization(database.db, installation.dataDir);
  const metrics = use(openMetrics(STANDALONE), (opened) => opened.close());
  const tracing = use(await openTracing(options, STANDALONE), (opened) => opened?.close());
  showDatabase(metrics, database);
  const scheduling = { database, log, enrichment: options.ENRICHMENT === 'on', domains: true, purges: true, metrics };
  use(startScheduler(scheduling), (scheduler) => scheduler.close());
  const retention = retentionOf(options);
  const shared = { database, databaseUrl, redisUrl, blobs };
  const worker = use(
    await startWorker({ ...shared, lookups: options, secrets, retention, log, metrics, tracing }),
    (running) => running.close(),
  );
  const { HOST: host, PORT: port, INGEST_PORT, ADMIN_HOST, ADMIN_PORT } = options;
  const mailboxes = secrets && { secrets, lease: options.MAILBOX_LEASE !== 'off' };
  const intake = { database, blobs, log, upload: { host, port: INGEST_PORT }, mailboxes, metrics, tracing };
  const ingester = use(await listening('INGEST_PORT', () => startIngester(intake)), (running) => running.close());
  const serving = { databaseUrl, redisUrl, host, port, log, metrics, tracing, limits: options, caching: options };
  const api = use(await listening('PORT', () => startApi(serving)), (running) => running.close());
  const ready = readinessOf(database, () => worker.isUp());
  use(await startAdmin({ host: ADMIN_HOST, port: ADMIN_PORT, metrics, ready }), (admin) => admin.close());
  return { installation, first, apiUrl: api.url, uploadUrl: ingester.uploadUrl! };
}
