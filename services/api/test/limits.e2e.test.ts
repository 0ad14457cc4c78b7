import { createKey, createOrganization, type QuotaUse, setPlan } from '@dmarc-ledger/ledger';
import { findUsage } from '@dmarc-ledger/queries';
import { openLogger, openMetrics, type Metrics } from '@dmarc-ledger/runtime';
import {
  awayFromTheTurn,
  cloneDatabase,
  givenReports,
  redisServer,
  type ClonedDatabase,
  type RedisServer,
} from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApi, type RunningApi } from '../src/service.ts';

const HOUR_SECONDS = 3600;
const PATIENCE = { timeout: 30_000, interval: 20 };

let database: ClonedDatabase;
let redis: RedisServer;
let metrics: Metrics[];
let apis: RunningApi[];
let made = 0;

beforeAll(async () => {
  [database, redis] = await Promise.all([cloneDatabase(), redisServer()]);
  metrics = [await openMetrics({ service: 'one', version: '0' }), await openMetrics({ service: 'two', version: '0' })];
  const log = openLogger({ name: 'api', level: 'silent' });
  const limits = { ABUSE_LIMIT_PER_MINUTE: 1_000_000, HEAVY_CONCURRENCY: 4 };
  const needs = { databaseUrl: database.url, redisUrl: redis.url, host: '127.0.0.1', port: 0, log, limits };
  // A busy machine that delays Redis must not cause local decisions: these tests stop Redis.
  const patience = { usual: 20_000, extended: 20_000 };
  apis = await Promise.all(metrics.map((each) => startApi({ ...needs, metrics: each, patience })));
});
afterAll(async () => {
  await Promise.all(apis.map((api) => api.close()));
  for (const each of metrics) each.close();
  await redis.stop();
  await database[Symbol.asyncDispose]();
});

beforeEach(() => awayFromTheTurn());

async function givenQuota(hourlyQuota: number) {
  made += 1;
  const plan = `plan-${made}`;
  await setPlan(database, { code: plan, hourlyQuota });
  const { id } = await createOrganization(database.db, { name: `Limits ${made}`, plan });
  const { key } = await createKey(database.db, id, { scope: 'read' });
  return { id, plan, key };
}

/** Sends as many requests at once, alternating between the two, and counts each status. */
async function ask(key: string, count: number): Promise<{ [status: number]: number }> {
  const statuses: { [status: number]: number } = {};
  await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const { status } = await get(key, '/v1/enums', i % 2);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }),
  );
  return statuses;
}

async function get(key: string, path: string, which = 0) {
  const response = await fetch(apis[which]!.url + path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, text: await response.text() };
}

async function recorded({ id }: { id: string }): Promise<Pick<QuotaUse, 'used'> & { rejected: number }> {
  const hour = Math.floor(Date.now() / 1000 / HOUR_SECONDS);
  const sums = await findUsage(database.db, id, { from: hour - 1, to: hour }, 'hour');
  return {
    used: sums.reduce((sum, { requests }) => sum + requests, 0),
    rejected: sums.reduce((sum, { rejected }) => sum + rejected, 0),
  };
}

/** The sum of a metric over both, for these labels. */
async function figure(name: string, labels = ''): Promise<number> {
  const texts = await Promise.all(metrics.map(({ registry }) => registry.metrics()));
  const lines = texts.flatMap((text) => text.split('\n'));
  const matching = lines.filter((line) => line.startsWith(`${name}{`) && line.includes(labels));
  return matching.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('two processes that share a Redis', () => {
  it('admit exactly 100 of 500 requests at once where the quota is 100, and put each on record', async () => {
    const org = await givenQuota(100);
    expect(await ask(org.key, 500)).toEqual({ 200: 100, 429: 400 });
    await vi.waitFor(async () => expect(await recorded(org)).toEqual({ used: 100, rejected: 400 }), PATIENCE);
  });

  it('go on answering while Redis is gone, and know of it all when it is back', async () => {
    const org = await givenQuota(1_000);
    expect(await ask(org.key, 40)).toEqual({ 200: 40 });
    await redis.stop();
    await vi.waitFor(async () => expect(await figure('ratelimit_degraded')).toBe(2), PATIENCE);
    expect(await figure('ratelimit_redis_up')).toBe(0);
    expect(await ask(org.key, 30)).toEqual({ 200: 30 });
    await redis.restart();
    await vi.waitFor(async () => expect(await figure('ratelimit_degraded')).toBe(0), PATIENCE);
    // It came back empty. With their next request both have reported what they knew, and what they admitted meanwhile.
    for (const which of [0, 1]) expect((await get(org.key, '/v1/enums', which)).status).toBe(200);
    const left = 1_000 - 40 - 30 - 2;
    expect(await ask(org.key, 1_000)).toEqual({ 200: left, 429: 1_000 - left });
  });

  it('show which expensive responses were cached, and what waits for the database', async () => {
    const { key, id } = await givenQuota(100);
    await givenReports(database.db, id, [{ records: [{ ip: '192.0.2.1' }] }]);
    for (let i = 0; i < 3; i += 1) expect((await get(key, '/v1/dashboard/overview', 0)).status).toBe(200);
    const route = 'route="/v1/dashboard/overview"';
    await vi.waitFor(async () => {
      expect(await figure('answer_cache_total', `${route},outcome="hit"`)).toBe(2);
      expect(await figure('answer_cache_total', `${route},outcome="miss"`)).toBe(1);
    }, PATIENCE);
    expect(await figure('api_pool_connections', 'pool="heavy"')).toBeGreaterThan(0);
    expect(await figure('api_pool_waiting', 'pool="reads"')).toBe(0);
  });

  it('show what they answered and refused, without naming anybody', async () => {
    const org = await givenQuota(1);
    const before = await figure('ratelimit_reject_total', 'quota_exceeded');
    const known = await figure('http_requests_total', '/v1/enums');
    await get(org.key, '/v1/enums');
    await get(org.key, '/v1/enums');
    await get('nonsense', '/v1/enums');
    await get(org.key, '/v1/made-up');
    const rises = async (name: string, labels: string, from: number) =>
      await vi.waitFor(async () => expect(await figure(name, labels)).toBeGreaterThan(from), PATIENCE);
    await rises('ratelimit_reject_total', 'code="quota_exceeded"', before);
    await rises('http_requests_total', 'route="/v1/enums"', known);
    await rises('http_requests_total', 'route="unknown"', 0);
    await rises('auth_fail_total', 'reason="malformed"', 0);
    await rises('auth_fail_sources', '', 0);
    await rises('http_seconds_count', 'route="/v1/enums"', 0);
    expect(await figure('heavy_inflight')).toBe(0);
    expect(await figure('ratelimit_redis_up')).toBe(2);
    const all = await metrics[0]!.registry.metrics();
    expect(all).not.toContain(org.id);
    expect(all).not.toContain('127.0.0.1');
  });
});
