import type { BlobStore } from '@dmarc-ledger/blobs';
import { findingsOf } from './queue-findings.ts';
import { openDimensions, type Retention } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import type { Ask } from '@dmarc-ledger/dns-records';
import { type RecentReports, watchInstallation, type Outside, runRelay, workHandlers } from '@dmarc-ledger/pipeline';
import { openQueues, refuseUnknown, servableQueues, type QueueCounts } from '@dmarc-ledger/queues';
import type { Logger, Metrics, Tracing } from '@dmarc-ledger/runtime';
import type { SecretBox } from '@dmarc-ledger/secrets';
import { notifierOf, type NotificationOptions } from './notifier.ts';
import { openLookups, type LookupOptions, type OpenLookups } from './outside.ts';
import { concurrencyOf } from './concurrency.ts';
import { traceJobs, watchJobs } from './watch-jobs.ts';
import { countNotifications, countJobs, countPurges, showQueues } from './work-metrics.ts';

export { notifierOf, type NotificationOptions } from './notifier.ts';
export { openLookups, type LookupOptions, type OpenLookups } from './outside.ts';

export interface WorkerNeeds {
  database: Database;
  databaseUrl: string;
  redisUrl?: string | undefined;
  blobs: BlobStore;
  /** What an ingester of this process has just stored. */
  recent?: RecentReports | undefined;
  /** The queues to serve; default: all those whose resources it has. */
  queues?: string[] | undefined;
  concurrency?: number;
  /** The external lookups; without them, lookups and notifications are left to other workers. */
  lookups?: (LookupOptions & NotificationOptions) | undefined;
  /** False while no worker looks anything up about addresses. Default: true. */
  areAddressesLookedUp?: boolean | undefined;
  /** Answers some lookups without asking the outside, and passes the others on. */
  answering?: LookupAnswers | undefined;
  /** Opens the secrets of webhooks. */
  secrets?: SecretBox | undefined;
  /** The retention of data; without it, purges are left to other workers. */
  retention?: Retention | undefined;
  log: Logger;
  /** The metrics of the process, to which it adds its own; without them, it counts nothing. */
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
}

/** Wraps the lookups of addresses and of domains. */
export interface LookupAnswers {
  outside: (outside: Outside) => Outside;
  ask: (ask: Ask) => Ask;
}

export interface RunningWorker {
  counts(): Promise<QueueCounts>;
  isUp(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Runs the jobs: judges records, settles copies, repairs rollups, looks addresses up. Also hands announced jobs to the
 * queue.
 */
export async function startWorker(needs: WorkerNeeds): Promise<RunningWorker> {
  const { database, databaseUrl, redisUrl, blobs, lookups, retention, log, metrics, tracing, concurrency = 2 } = needs;
  refuseUnknown(needs.queues ?? []);
  const queues = await openQueues({ redisUrl, databaseUrl, log });
  const ending = new AbortController();
  const warn = (event: string) => (message: string, error: unknown) => log.warn({ event, error }, message);
  const asked = lookups && (await openLookups(lookups, database, warn('lookups.fault'), metrics));
  const notifier = lookups && asked && notifierOf(lookups, asked.dns, needs.secrets);
  const handlers = workHandlers({
    database,
    blobs,
    dimensions: openDimensions(database),
    organizationalDomain: publicSuffixDomains(),
    ...(asked && answered(asked, needs.answering)),
    areAddressesLookedUp: needs.areAddressesLookedUp,
    notifying: notifier && { notifier, onTried: metrics && countNotifications(metrics) },
    retention,
    onPurged: metrics && countPurges(metrics),
    onTakenOver: () =>
      log.warn(
        { event: 'blobs.taken_over' },
        'the raw bytes belonged to another database: those stored until now are kept, even without a delivery',
      ),
    recent: needs.recent,
  });
  if (metrics) showQueues(metrics, database, queues, redisUrl !== undefined);
  const watching = watchJobs([metrics && countJobs(metrics), tracing && traceJobs(tracing)]);
  const served = needs.queues ?? servableQueues(handlers);
  await queues.work(handlers, { queues: served, concurrency, concurrencyOf: concurrencyOf(concurrency), ...watching });
  const watchingQueues = watchInstallation(
    {
      database,
      part: 'queues',
      find: async () => findingsOf(await queues.counts()),
      onFault: warn('installation.fault'),
    },
    ending.signal,
  );
  const relay = runRelay({ database, queues, onFault: warn('outbox.dispatch_failed') }, ending.signal);
  return {
    counts: () => queues.counts(),
    isUp: () => queues.isUp(),
    async close() {
      ending.abort();
      await relay;
      await queues.close(); // ends a count of the queues that Redis does not answer
      await watchingQueues;
      await asked?.close();
    },
  };
}

function answered(
  { outside, askDns }: OpenLookups,
  answering: LookupAnswers | undefined,
): Pick<OpenLookups, 'outside' | 'askDns'> {
  if (!answering) return { outside, askDns };
  return { outside: outside && answering.outside(outside), askDns: (signal) => answering.ask(askDns(signal)) };
}
