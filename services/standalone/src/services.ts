import { apiServiceEnv } from '@dmarc-ledger/api-service/env';
import { ingesterEnv } from '@dmarc-ledger/ingester-service/env';
import {
  adminEnv,
  failPointEnv,
  startAdmin,
  tracingEnv,
  type Env,
  type RunningService,
  type Use,
} from '@dmarc-ledger/runtime';
import { webServiceEnv } from '@dmarc-ledger/web-service/env';
import { schedulerEnv } from '@dmarc-ledger/scheduler-service/env';
import { workerEnv } from '@dmarc-ledger/worker-service/env';
import type { Notifier } from '@dmarc-ledger/pipeline';
import type { ServiceHost } from './host.ts';
import { installationEnv } from './installation.ts';
import { readinessOf } from './readiness.ts';

/** The environment variables of a process with services. */
export const serviceEnv = {
  ...installationEnv,
  ...adminEnv,
  ...failPointEnv,
  ...tracingEnv,
  ...schedulerEnv,
  ...workerEnv,
  ...ingesterEnv,
  ...apiServiceEnv,
  ...webServiceEnv,
};
export type ServiceEnv = Env<typeof serviceEnv>;

export const serviceNames = ['api', 'web', 'ingester', 'worker', 'scheduler'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Sends test notifications; its lookups are opened by the first one. */
interface Notifying {
  openNotifier: () => Promise<Notifier>;
}

type Start = (env: ServiceEnv, host: ServiceHost & Notifying, use: Use) => Promise<RunningService>;

/** Loads a service only in a process that runs it. */
const services: { [Name in ServiceName]: () => Promise<{ main: Start }> } = {
  api: () => import('@dmarc-ledger/api-service/main'),
  web: () => import('@dmarc-ledger/web-service/main'),
  ingester: () => import('@dmarc-ledger/ingester-service/main'),
  worker: () => import('@dmarc-ledger/worker-service/main'),
  scheduler: () => import('@dmarc-ledger/scheduler-service/main'),
};

export async function startService(
  name: ServiceName,
  env: ServiceEnv,
  host: ServiceHost,
  use: Use,
): Promise<RunningService> {
  const { main } = await services[name]();
  return await main(env, { ...host, openNotifier: notifierFor(env, host, use) }, use);
}

function notifierFor(env: ServiceEnv, { database, secrets, log }: ServiceHost, use: Use): Notifying['openNotifier'] {
  let notifier: Promise<Notifier> | undefined;
  const open = async () => {
    const { notifierOf, openLookups } = await import('@dmarc-ledger/worker-service');
    const onFault = (message: string, error: unknown) => log.warn({ event: 'lookups.fault', error }, message);
    const opened = await openLookups({ ...env, ENRICHMENT: 'off' }, database, onFault);
    const lookups = use(opened, (running) => running.close());
    return notifierOf(env, lookups.dns, secrets);
  };
  return async () => await (notifier ??= open());
}

/** Opens the admin port of a process, which is ready when its database, its schema and its queue are. */
export async function openAdmin(env: Env<typeof adminEnv>, host: ServiceHost, running: RunningService, use: Use) {
  const { database, metrics } = host;
  const ready = readinessOf(database, running.isUp);
  use(await startAdmin({ host: env.ADMIN_HOST, port: env.ADMIN_PORT, metrics, ready }), (admin) => admin.close());
}
