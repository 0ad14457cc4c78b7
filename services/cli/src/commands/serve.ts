import {
  adminEnv,
  apiEnv,
  deliveryEnv,
  failPointEnv,
  isStartedByNpm,
  cacheEnv,
  limitEnv,
  lookupEnv,
  mailboxEnv,
  openLogger,
  openMetrics,
  openTracing,
  readEnv,
  retentionEnv,
  runService,
  startAdmin,
  tracingEnv,
  uploadEnv,
  useFailPoints,
  wholeNumber,
  type Use,
} from '@dmarc-ledger/runtime';
import {
  installationEnv,
  listening,
  openInstallation,
  readinessOf,
  showDatabase,
  VERSION,
  type Installation,
} from '@dmarc-ledger/standalone-service/installation';
import { Argument, Command, Option } from 'commander';
import { examples } from '../options.ts';
import { printJson } from '../print.ts';

const SERVICES = ['api', 'ingester', 'worker', 'scheduler'] as const;
type ServiceName = (typeof SERVICES)[number];

const serveEnv = {
  ...installationEnv,
  ...apiEnv,
  ...cacheEnv,
  ...limitEnv,
  ...uploadEnv,
  ...adminEnv,
  ...failPointEnv,
  ...lookupEnv,
  ...deliveryEnv,
  ...mailboxEnv,
  ...retentionEnv,
  ...tracingEnv,
  WORKER_CONCURRENCY: wholeNumber(1, 64).default(2),
};

interface ServeOptions {
  queues?: string[];
  json?: boolean;
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('run one service until it is stopped, for compose and Kubernetes')
    .addArgument(new Argument('<service>').choices(SERVICES))
    .option('--queues <names>', 'worker: serve only these queues, with commas between', (text: string) =>
      text.split(','),
    )
    .addOption(new Option('--json', 'print one JSON document on standard output once it is ready'))
    .addHelpText('after', examples('serve api', 'serve worker --queues rollups'))
    .action((service: ServiceName, options: ServeOptions) => serve(service, options));
}

async function serve(service: ServiceName, { queues, json }: ServeOptions): Promise<void> {
  const env = readEnv(serveEnv, process.env);
  const log = openLogger({ name: service, level: env.LOG_LEVEL });
  useFailPoints(env, log);
  await runService(
    service,
    async (use) => {
      const installation = use(await openInstallation(env), (opened) => opened.close());
      const metrics = use(openMetrics({ service, version: VERSION }), (opened) => opened.close());
      const { database, databaseUrl, redisUrl, blobs, secrets } = installation;
      const tracing = use(await openTracing(env, { service, version: VERSION }), (opened) => opened?.close());
      showDatabase(metrics, database);
      // each service is loaded only where it runs
      const starts: { [name in ServiceName]: () => Promise<Readiness> } = {
        api: async () => {
          const { startApi } = await import('@dmarc-ledger/api-service');
          const listenAt = { host: env.HOST, port: env.PORT };
          const seen = { log, metrics, tracing };
          const start = () => startApi({ databaseUrl, redisUrl, ...listenAt, ...seen, limits: env, caching: env });
          const api = use(await listening('PORT', start), (running) => running.close());
          return { address: api.url };
        },
        ingester: async () => {
          const { startIngester } = await import('@dmarc-ledger/ingester-service');
          const upload = { host: env.HOST, port: env.INGEST_PORT };
          const mailboxes = secrets && { secrets, lease: env.MAILBOX_LEASE === 'on' };
          if (!mailboxes) log.warn({ event: 'mailboxes.off' }, 'SECRET_KEY is not set: mailboxes are not read');
          const start = () => startIngester({ database, blobs, log, upload, mailboxes, metrics, tracing });
          const ingester = use(await listening('INGEST_PORT', start), (running) => running.close());
          return { address: ingester.uploadUrl };
        },
        worker: async () => {
          const { retentionOf, startWorker } = await import('@dmarc-ledger/worker-service');
          const concurrency = env.WORKER_CONCURRENCY;
          const needs = {
            database,
            databaseUrl,
            redisUrl,
            blobs,
            log,
            queues,
            concurrency,
            lookups: env,
            secrets,
            retention: retentionOf(env),
            metrics,
            tracing,
          };
          const worker = use(await startWorker(needs), (running) => running.close());
          return { address: null, queue: () => worker.isUp() };
        },
        scheduler: async () => {
          const { startScheduler } = await import('@dmarc-ledger/scheduler-service');
          use(
            startScheduler({
              database,
              log,
              enrichment: env.ENRICHMENT === 'on',
              domains: true,
              purges: true,
              metrics,
            }),
            (running) => running.close(),
          );
          return { address: null };
        },
      };
      const { address, queue } = await starts[service]();
      await startAdminOf(use, env, installation, metrics, queue);
      log.info({ event: 'service.ready', address }, 'ready');
      if (json) printJson({ service, address });
    },
    { log, withParent: isStartedByNpm(process.env) },
  );
}

interface Readiness {
  address: string | null;
  queue?: () => Promise<boolean>;
}

async function startAdminOf(
  use: Use,
  env: { ADMIN_HOST: string; ADMIN_PORT: number },
  { database }: Installation,
  metrics: ReturnType<typeof openMetrics>,
  queue?: () => Promise<boolean>,
): Promise<void> {
  const ready = readinessOf(database, queue);
  use(await startAdmin({ host: env.ADMIN_HOST, port: env.ADMIN_PORT, metrics, ready }), (admin) => admin.close());
}
