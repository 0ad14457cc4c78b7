import type { RequestListener } from 'node:http';
import type { RecentReports } from '@dmarc-ledger/pipeline';
import { openMetrics, openTracing, type Logger, type Metrics, type Tracing, type Use } from '@dmarc-ledger/runtime';
import type { LookupAnswers } from '@dmarc-ledger/worker-service';
import { showDatabase } from './database-metrics.ts';
import { openInstallation, type Installation, type InstallationOptions } from './installation.ts';
import { VERSION } from './version.ts';

/** The resources that all services of one process share. */
export interface ServiceHost extends Installation {
  version: string;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing | undefined;
  /** What its ingester has just stored, for its worker; only where one process has both. */
  recent?: RecentReports | undefined;
  /** The queues that its worker serves; default: all. */
  queues?: string[] | undefined;
  /** Answers requests for other paths than the API's, on the API's port; default: none. */
  beside?: RequestListener | undefined;
  /** What its worker answers by itself; default: nothing. */
  answering?: LookupAnswers | undefined;
}

export interface HostOptions {
  /** The name of the process in metrics and traces. */
  service: string;
  log: Logger;
  queues?: string[] | undefined;
  /** Receives a line for each step of an opening that takes long. */
  onProgress?: (line: string) => void;
}

type HostEnv = InstallationOptions & Parameters<typeof openTracing>[0];

/** Opens the installation that the environment names, with the metrics and traces of this process. */
export async function openHost(
  { service, log, queues, onProgress }: HostOptions,
  env: HostEnv,
  use: Use,
): Promise<ServiceHost> {
  const onConnectionLost = (error: Error) =>
    log.warn({ event: 'database.connection_lost', error }, 'an idle connection to the database was lost');
  const onBytesAway = (folder: string) =>
    log.warn({ event: 'blobs.missing', folder }, 'this folder holds no raw bytes, but the ledger refers to some');
  const observer = { onProgress, onConnectionLost, onBytesAway };
  const installation = use(await openInstallation(env, observer), (opened) => opened.close());
  const about = { service, version: VERSION };
  const metrics = use(await openMetrics(about), (opened) => opened.close());
  const tracing = use(await openTracing(env, about), (opened) => opened?.close());
  showDatabase(metrics, installation.database);
  return { ...installation, version: VERSION, log, metrics, tracing, queues };
}
