import { findBudgetLeft, findOutboxBacklog, findZones } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import type { DnsClientOptions } from '@dmarc-ledger/lookups';
import type { OutsideObserver } from '@dmarc-ledger/pipeline';
import type { Finished, Queues } from '@dmarc-ledger/queues';
import { keptFor, type Metrics } from '@dmarc-ledger/runtime';

const KEPT_MS = 5_000;
const JOB_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const DNS_SECONDS = [0.002, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5];

/** Counts jobs as they end. */
export function countJobs(metrics: Metrics) {
  const seconds = metrics.histogram('job_seconds', 'Duration of attempts of jobs, by outcome.', JOB_SECONDS, [
    'queue',
    'outcome',
  ]);
  const stalled = metrics.counter('job_stalled_total', 'Jobs taken over from a worker that went silent.', ['queue']);
  return {
    onFinished: ({ queue, outcome, seconds: took }: Finished) => seconds.observe({ queue, outcome }, took),
    onStalled: (queue: string) => stalled.inc({ queue }),
  };
}

/** Counts tries of notifications, by how they ended. */
export function countNotifications(metrics: Metrics): (kind: string, outcome: string) => void {
  const tried = metrics.counter('deliveries_total', 'Attempts to send an event to a target.', ['kind', 'outcome']);
  return (kind, outcome) => tried.inc({ kind, outcome });
}

const PURGED_KINDS: { [kind: string]: string } = {
  reports: 'report',
  records: 'record',
  deliveries: 'delivery',
  raw: 'raw',
  tlsrpt: 'tlsrpt',
  aprf: 'aprf',
  failureReports: 'failure_report',
  events: 'event',
  eventConditions: 'event_condition',
  domainChanges: 'domain_change',
  selectors: 'selector',
  subdomains: 'subdomain',
  usageHours: 'usage_hour',
  blobs: 'blob',
  organizations: 'organization',
};

/** Counts what retention and the removal of organizations have deleted. */
export function countPurges(metrics: Metrics): (kind: string, count: number) => void {
  const purged = metrics.counter('purged_total', 'What was deleted by age, or with its organization.', ['kind']);
  return (what, count) => {
    const kind = PURGED_KINDS[what];
    if (kind !== undefined && count > 0) purged.inc({ kind }, count);
  };
}

/** Shows the backlog of the outbox and the queues, and whether Redis answers where the queues are on Redis. */
export function showQueues(metrics: Metrics, { db }: Database, queues: Queues, isOnRedis: boolean): void {
  const outbox = keptFor(KEPT_MS, () => findOutboxBacklog(db));
  metrics.gaugeOf(
    'outbox_pending',
    'Announced work that is not in the queue; counted up to 10,000.',
    async () => (await outbox()).count,
  );
  metrics.gaugeOf(
    'outbox_oldest_seconds',
    'Age of the oldest announced work that is not in the queue.',
    async () => (await outbox()).oldestSeconds,
  );
  const counts = keptFor(KEPT_MS, () => queues.counts());
  metrics.gaugesOf('queue_jobs', 'Jobs in each queue, by state.', ['queue', 'state'], async () =>
    Object.entries(await counts()).flatMap(([queue, states]) =>
      Object.entries(states).map(([state, value]) => ({ labels: { queue, state }, value })),
    ),
  );
  if (isOnRedis)
    metrics.gaugeOf('redis_up', '1 while the Redis of the queues answers.', async () => Number(await queues.isUp()));
}

/** Counts the answers of external lookups. */
export function countAnswers(metrics: Metrics): {
  observer: OutsideObserver;
  onQuery: NonNullable<DnsClientOptions['onQuery']>;
} {
  const queries = metrics.counter('dns_query_total', 'Queries sent to name servers, by outcome.', ['outcome']);
  const seconds = metrics.histogram('dns_seconds', 'Time to the answers of name servers.', DNS_SECONDS);
  const listed = metrics.counter('dnsbl_result_total', 'Answers of blocklists.', ['zone', 'outcome']);
  const rated = metrics.counter('reputation_result_total', 'Answers of the reputation service.', ['outcome']);
  return {
    observer: {
      listed: (zone, outcome) => listed.inc({ zone, outcome }),
      rated: (outcome) => rated.inc({ outcome }),
    },
    onQuery({ outcome, ms }) {
      queries.inc({ outcome });
      seconds.observe(ms / 1000);
    },
  };
}

/** Shows which zones work, and what is left of external budgets: the same from every worker. */
export function showOutside(
  metrics: Metrics,
  { db }: Database,
  { lists, budget }: { lists: readonly { id: string }[]; budget: { service: string; callsPerDay: number } | undefined },
): void {
  const asked = new Set(lists.map(({ id }) => id));
  const zones = keptFor(KEPT_MS, () => findZones(db));
  metrics.gaugesOf(
    'dnsbl_zone_up',
    '1 while the zone passes its self-test; absent while untested.',
    ['zone'],
    async () =>
      (await zones())
        .filter(({ list, health }) => asked.has(list) && health.state !== 'untested')
        .map(({ list, family, health }) => ({
          labels: { zone: `${list}/${family}` },
          value: Number(health.state === 'working'),
        })),
  );
  metrics.gaugeOf(
    'reputation_budget_remaining',
    'Calls of the reputation service left today; absent without a key.',
    async () => budget && (await findBudgetLeft(db, budget.service, budget.callsPerDay)),
  );
}
