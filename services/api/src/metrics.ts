import { FailingSources, type Observer } from '@dmarc-ledger/api';
import type { Limiter } from '@dmarc-ledger/limits';
import type { Metrics } from '@dmarc-ledger/runtime';
import type { Storage } from './storage.ts';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const UNAUTHORIZED = 401;
const TOO_MANY = 429;

/** Records the metrics of answered and refused requests. Unknown paths share one label, as anybody can make them up. */
export function showApi(metrics: Metrics): Observer {
  const requests = metrics.counter('http_requests_total', 'Requests by endpoint and status.', ['route', 'status']);
  const seconds = metrics.histogram('http_seconds', 'Duration of answers.', SECONDS, ['route']);
  const authFailures = metrics.counter('auth_fail_total', 'Rejected keys.', ['reason']);
  const rejections = metrics.counter('ratelimit_reject_total', 'Requests refused with 429.', ['code']);
  const kept = metrics.counter('answer_cache_total', 'Expensive answers, cached or computed.', ['route', 'outcome']);
  const failing = new FailingSources();
  metrics.gaugeOf(
    'auth_fail_sources',
    'Addresses, or IPv6 networks of 64 bits, that sent rejected keys within a minute.',
    () => failing.lastMinute().sources,
  );
  metrics.gaugeOf(
    'auth_fail_source_max',
    'Rejected keys from the busiest of these addresses within a minute.',
    () => failing.lastMinute().worst,
  );
  return ({ path = 'unknown', status = 0, milliseconds, reason, address, kept: isKept }) => {
    requests.inc({ route: path, status });
    if (milliseconds !== undefined) seconds.observe({ route: path }, milliseconds / 1000);
    if (isKept !== undefined) kept.inc({ route: path, outcome: isKept ? 'hit' : 'miss' });
    if (status === TOO_MANY && reason) rejections.inc({ code: reason });
    if (status !== UNAUTHORIZED || !reason) return;
    authFailures.inc({ reason });
    if (address) failing.note(address);
  };
}

/** Shows the state of the limits. */
export function showLimits(metrics: Metrics, limiter: Limiter): void {
  const show = (name: string, help: string, read: (status: ReturnType<Limiter['status']>) => number) =>
    metrics.gaugeOf(name, help, () => read(limiter.status()));
  show('ratelimit_degraded', '1 while limits are kept in process because Redis does not answer.', ({ isDegraded }) =>
    Number(isDegraded),
  );
  show('heavy_inflight', 'Expensive requests under way in this process.', ({ heavyInFlight }) => heavyInFlight);
  if (limiter.status().isRedisUp === undefined) return;
  show('ratelimit_redis_up', '1 while the Redis of the limits answers.', ({ isRedisUp }) => Number(isRedisUp));
}

/** Shows the use of the API's database connections, by purpose. */
export function showStorage(metrics: Metrics, { access: { pool }, reads, heavyReads }: Storage): void {
  const ofAll = () =>
    Object.entries({
      access: { connections: pool.totalCount, waiting: pool.waitingCount },
      reads: reads.load(),
      heavy: heavyReads.load(),
    });
  metrics.gaugesOf('api_pool_waiting', 'Requests that wait for a database connection of the API.', ['pool'], () =>
    ofAll().map(([name, { waiting }]) => ({ labels: { pool: name }, value: waiting })),
  );
  metrics.gaugesOf('api_pool_connections', 'The API’s connections to the database.', ['pool'], () =>
    ofAll().map(([name, { connections }]) => ({ labels: { pool: name }, value: connections })),
  );
}
