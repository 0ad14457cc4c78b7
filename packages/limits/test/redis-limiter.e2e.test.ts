import { awayFromTheTurn, faultProxy, redisServer, type FaultProxy, type RedisServer } from '@dmarc-ledger/testkit';
import { newId } from '@dmarc-ledger/vocabulary';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLimiter, type Limiter, type LimiterLog, type OpenLimiterOptions } from '../src/index.ts';
import { KEY, outcomes, PATIENT, PLENTY, request, silent, writtenDown } from './limiters.ts';

let server: RedisServer;
let line: FaultProxy;
let limiters: Limiter[];
/** The stored usage. */
let recorded: number;

beforeAll(async () => {
  server = await redisServer();
  line = await faultProxy(Number(new URL(server.url).port));
});
afterAll(async () => {
  await line.close();
  await server.stop();
});
beforeEach(async () => {
  await awayFromTheTurn();
  await server.flushAll();
  limiters = [];
  recorded = 0;
});
afterEach(async () => {
  await Promise.all(limiters.map((limiter) => limiter.close()));
  line.toxic.blackHole = false;
});

async function open(options: Partial<OpenLimiterOptions> = {}): Promise<Limiter> {
  const limiter = await openLimiter({
    redisUrl: server.url,
    abusePerMinute: PLENTY,
    heavyConcurrency: 2,
    patience: PATIENT,
    recorded: async () => recorded,
    log: silent,
    ...options,
  });
  limiters.push(limiter);
  return limiter;
}

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const untilUp = (limiter: Limiter) =>
  vi.waitFor(() => expect(limiter.status().isRedisUp).toBe(true), { timeout: 30_000, interval: 10 });
const untilDown = (limiter: Limiter) =>
  vi.waitFor(() => expect(limiter.status().isRedisUp).toBe(false), { timeout: 30_000, interval: 10 });

describe('several processes that share a Redis', () => {
  it('admit exactly as many as the quota allows, and each request is on record once', async () => {
    const [a, b] = [await open(), await open()];
    const decisions = times(500, (i) => (i % 2 ? a : b).admit(request('org', 100)));
    expect(await outcomes(decisions)).toEqual({ admitted: 100, quota_exceeded: 400 });
    expect(await writtenDown(a, b)).toEqual({ org: { requests: 100, rejected: 400, errors: 0 } });
    expect(await writtenDown(a, b)).toEqual({});
  });

  it('share abuse limits and slots', async () => {
    const [a, b] = [await open({ abusePerMinute: 60 }), await open({ abusePerMinute: 60 })];
    const counts = await outcomes(times(200, (i) => (i % 2 ? a : b).admit(request('org', null))));
    expect(counts['admitted']).toBeLessThan(60); // 40 at once, and one for each second that this took
    const slots = [await a.enter('heavy', { capped: true }), await b.enter('heavy', { capped: true })];
    expect(await a.enter('heavy', { capped: true })).toBeUndefined();
    slots[0]!();
    await vi.waitFor(async () => expect(await b.enter('heavy', { capped: true })).toBeDefined(), { timeout: 10_000 });
  });

  it('take the slots of a process that died when their lease is over', async () => {
    const limiter = await open();
    const redis = new Redis(server.url);
    await redis.zadd('limits:{org}:slots', Date.now() - 1, 'dead');
    await redis.zadd('limits:{org}:slots', Date.now() + 60_000, 'alive');
    expect(await limiter.enter('org', { capped: true })).toBeDefined();
    expect(await limiter.enter('org', { capped: true })).toBeUndefined();
    expect(await redis.zrange('limits:{org}:slots', '0', '-1')).not.toContain('dead');
    redis.disconnect();
  });

  it('spend the heavy budget by work, not by asking', async () => {
    const limiter = await open({ abusePerMinute: 2 }); // heavy: one a minute
    const heavy = () => limiter.admit(request('org', null, { heavy: true }));
    expect((await heavy()).outcome).toBe('admitted');
    expect((await heavy()).outcome).toBe('admitted');
    (await limiter.enter('org', { capped: false }))!();
    expect((await heavy()).outcome).toBe('rate_limited');
    expect((await limiter.admit(request('org', null))).outcome).toBe('admitted');
  });

  it('do not count what is refused for its permission', async () => {
    const limiter = await open();
    await Promise.all(times(5, () => limiter.admit(request('org', 1, { metered: false }))));
    expect((await limiter.admit(request('org', 1))).window).toMatchObject({ limit: 1, used: 1 });
  });

  it('leave what they counted to the others when they die', async () => {
    const [dying, other] = [await open(), await open()];
    await outcomes(times(30, () => dying.admit(request('org', 20))));
    const [read] = await dying.batches(); // read, perhaps stored, and not settled
    await dying.close();
    const batches = await other.batches();
    expect(batches).toEqual([read]);
    expect(read!.counts).toEqual([
      { orgId: 'org', keyId: KEY, hour: expect.any(Number), requests: 20, rejected: 10, errors: 0 },
    ]);
  });

  it('go on from what is on record where Redis knows nothing of the hour', async () => {
    recorded = 7;
    const [a, b] = [await open(), await open()];
    const counts = await outcomes(times(40, (i) => (i % 2 ? a : b).admit(request('org', 10))));
    expect(counts).toEqual({ admitted: 3, quota_exceeded: 37 });
  });
});

describe('while Redis is away', () => {
  it('each decides by itself and goes on from what it knew; afterwards all is added up', async () => {
    const orgs = [newId(), newId()];
    const [a, b] = [await open(), await open()];
    for (const org of orgs) await outcomes(times(20, (i) => (i % 2 ? a : b).admit(request(org, 100))));
    await server.stop();
    await Promise.all([untilDown(a), untilDown(b)]);
    expect(a.status()).toMatchObject({ isDegraded: true });
    for (const org of orgs) {
      await outcomes(times(10, () => a.admit(request(org, 100))));
      await outcomes(times(5, () => b.admit(request(org, 100))));
    }
    await server.restart(); // empty: only the processes know what it had counted
    await Promise.all([untilUp(a), untilUp(b)]);
    for (const org of orgs) {
      await b.admit(request(org, 100)); // both have reported by then what they had admitted, or do so now
      expect((await a.admit(request(org, 100))).window.used).toBe(20 + 15 + 2);
      expect((await b.admit(request(org, 100))).window.used).toBe(20 + 15 + 3);
    }
    expect(a.status()).toMatchObject({ isDegraded: false });
  });

  it('a quota that is spent stays spent', async () => {
    const limiter = await open();
    await outcomes(times(5, () => limiter.admit(request('org', 5))));
    await server.stop();
    await untilDown(limiter);
    expect((await limiter.admit(request('org', 5))).outcome).toBe('quota_exceeded');
    await server.restart();
    await untilUp(limiter);
    expect((await limiter.admit(request('org', 5))).outcome).toBe('quota_exceeded');
  });

  it('starts, decides and does heavy work', async () => {
    await server.stop();
    const log = { warn: vi.fn<LimiterLog['warn']>(), info: vi.fn<LimiterLog['info']>() };
    const limiter = await open({ log, abusePerMinute: 60 });
    const counts = await outcomes(times(60, () => limiter.admit(request('org', null))));
    expect(counts).toEqual({ admitted: 40, rate_limited: 20 });
    await limiter.enter('org', { capped: true });
    await limiter.enter('org', { capped: true });
    expect(await limiter.enter('org', { capped: true })).toBeUndefined();
    expect(log.warn).toHaveBeenCalledExactlyOnceWith({ event: 'ratelimit.degraded' }, expect.any(String));
    await server.restart();
    await untilUp(limiter);
    expect(log.info).toHaveBeenCalledExactlyOnceWith({ event: 'ratelimit.restored' }, expect.any(String));
  });
});

describe('a Redis that falls silent', () => {
  const slowLine = () => `redis://127.0.0.1:${line.port}`;

  it('is not waited for, and what it counts after all is counted once', async () => {
    const org = newId();
    const limiter = await open({ redisUrl: slowLine(), patience: { usual: 50, extended: 1_000 } });
    await untilUp(limiter);
    const before = await outcomes(times(10, () => limiter.admit(request(org, 1_000))));
    line.toxic.blackHole = true;
    const during = await outcomes(times(10, () => limiter.admit(request(org, 1_000))));
    expect([before, during]).toEqual([{ admitted: 10 }, { admitted: 10 }]);
    line.toxic.blackHole = false;
    await untilUp(limiter);
    expect((await limiter.admit(request(org, 1_000))).window.used).toBe(21);
    expect(await writtenDown(limiter)).toMatchObject({ [org]: { requests: 21, rejected: 0 } });
  });

  it('is waited for a little longer where a quota is nearly used up, and then not at all', async () => {
    const limiter = await open({ redisUrl: slowLine(), patience: { usual: 50, extended: 500 } });
    await untilUp(limiter);
    await outcomes(times(10, () => limiter.admit(request('org', 12))));
    line.toxic.blackHole = true;
    const plenty = limiter.admit(request('other', null));
    const close = times(5, () => limiter.admit(request('org', 12)));
    expect((await plenty).outcome).toBe('admitted');
    line.toxic.blackHole = false;
    expect(await outcomes(close)).toEqual({ admitted: 2, quota_exceeded: 3 });
    line.toxic.blackHole = true;
    expect(await limiter.admit(request('org', 13))).toMatchObject({ outcome: 'admitted', window: { used: 13 } });
    line.toxic.blackHole = false;
    await untilUp(limiter);
    expect(await limiter.admit(request('org', 14))).toMatchObject({ outcome: 'admitted', window: { used: 14 } });
  });

  it('or refuses writes, stops no request', async () => {
    const limiter = await open();
    const redis = new Redis(server.url);
    await redis.set('something', 'x'.repeat(1_000));
    await redis.config('SET', 'maxmemory', '1');
    const counts = await outcomes(times(10, () => limiter.admit(request('org', 1_000))));
    expect(counts).toEqual({ admitted: 10 });
    expect(limiter.status()).toMatchObject({ isRedisUp: true, isDegraded: true });
    await redis.config('SET', 'maxmemory', '0');
    expect((await limiter.admit(request('org', 1_000))).window.used).toBe(11);
    expect(limiter.status()).toMatchObject({ isDegraded: false });
    redis.disconnect();
  });

  it('and one that has forgotten our scripts is taught again', async () => {
    const limiter = await open();
    await limiter.admit(request('org', 10));
    const redis = new Redis(server.url);
    await redis.script('FLUSH');
    redis.disconnect();
    expect((await limiter.admit(request('org', 10))).window.used).toBe(2);
  });

  it('and one that was emptied goes on from what its askers knew', async () => {
    const [a, b] = [await open(), await open()];
    await outcomes(times(9, () => a.admit(request('org', 100))));
    await b.admit(request('org', 100));
    await server.flushAll();
    expect((await b.admit(request('org', 100))).window.used).toBe(11);
    expect((await a.admit(request('org', 100))).window.used).toBe(12);
  });
});
