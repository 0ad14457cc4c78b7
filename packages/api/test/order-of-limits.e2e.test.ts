import { createKey, setOrganization, setPlan } from '@dmarc-ledger/ledger';
import { findRequests } from '@dmarc-ledger/queries';
import type { Db } from '@dmarc-ledger/schema';
import { localLimiter } from '@dmarc-ledger/limits';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../src/index.ts';
import { defineRoute } from '../src/define-route.ts';
import { flag } from '../src/parameters/lenient.ts';
import { domainFilter } from '../src/parameters/strict.ts';
import { givenOrganization, serveApi, TODAY, type Got, type Served } from './served.ts';

let served: Served;
let clock: Date;
/** Ends the heavy work in progress. */
let endWork: () => void;

/** A heavy route for these tests: `cached=1` returns a cached response. */
const heavyRoute = defineRoute({
  path: '/heavy',
  operationId: 'heavy',
  permission: 'analytics:read',
  tag: 'Analytics',
  summary: 'Heavy.',
  heavy: true,
  query: { cached: flag('At hand.'), domain: domainFilter },
  answer: z.object({ done: z.boolean() }),
  example: { done: true },
  async handle({ expensively }, { cached }) {
    if (!cached) await expensively(() => new Promise<void>((resolve) => (endWork = resolve)));
    return { done: true };
  },
});

beforeAll(async () => {
  served = await serveApi({
    now: () => clock,
    routes: [...routes, heavyRoute],
    limit: (db: Db) =>
      localLimiter({
        abusePerMinute: 600,
        heavyConcurrency: 1,
        recorded: (orgId, hour) => findRequests(db, orgId, hour),
        now: () => clock,
      }),
  });
});
afterAll(() => served[Symbol.asyncDispose]());
beforeEach(() => {
  clock = TODAY;
});

let made = 0;

/** An organization on its own plan, with a key that may read. */
async function givenQuota(hourlyQuota: number | null) {
  made += 1;
  const code = `plan-${made}`;
  await setPlan(served.database, { code, hourlyQuota });
  const org = await givenOrganization(served, `Limits ${made}`);
  await setOrganization(served.database, org.id, { plan: code });
  return { ...org, plan: code };
}

/** Uses up what a key may request at once; the clock stands still. */
async function exhaust(get: (path: string) => Promise<Got>): Promise<void> {
  for (let i = 0; i < 40; i += 1) expect((await get('/enums')).status).not.toBe(429);
}

async function givenIngestKey(orgId: string) {
  const { key } = await createKey(served.db, orgId, { scope: 'ingest' });
  return (path: string) => served.get(`/v1${path}`, { authorization: `Bearer ${key}` });
}

const rateLimited = { error: 'Rate Limit Exceeded', code: 'rate_limited' };
const quotaSpent = { error: 'Hourly Quota Exceeded', code: 'quota_exceeded' };

describe('of several reasons to refuse a request the first one counts', () => {
  it('1. an unknown path is 404, whatever the key is', async () => {
    const org = await givenQuota(1);
    await exhaust(await givenIngestKey(org.id));
    expect((await org.get('/nothing')).status).toBe(404);
  });

  it('2. a method other than GET is 405, however many there are', async () => {
    for (let i = 0; i < 60; i += 1) {
      expect(await served.raw('POST /v1/enums HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
        /^HTTP\/1.1 405/,
      );
    }
  });

  it('3. a key that opens nothing is 401, however often it is tried', async () => {
    for (let i = 0; i < 60; i += 1) expect((await served.get('/v1/enums')).status).toBe(401);
    expect(served.calls.at(-1)).toMatchObject({ status: 401, reason: 'missing', address: '127.0.0.1' });
  });

  it('4. the abuse limit is 429 rate_limited, before permission, quota, parameters and slots', async () => {
    const org = await givenQuota(40);
    await exhaust(org.get);
    const { status, body, headers } = await org.get('/heavy?domain=x');
    expect([status, body, headers.get('retry-after')]).toEqual([429, rateLimited, '1']);
    expect(headers.get('x-ratelimit-limit')).toBeNull();
    const ingest = await givenIngestKey(org.id);
    await exhaust(ingest);
    expect((await ingest('/enums')).body).toEqual(rateLimited);
  });

  it('5. a permission that is missing is 403, before the quota', async () => {
    const org = await givenQuota(1);
    await org.get('/enums');
    expect((await org.get('/enums')).body).toEqual(quotaSpent);
    const { status, body, headers } = await (await givenIngestKey(org.id))('/enums');
    expect([status, body]).toEqual([403, { error: 'Permission Denied', required: 'analytics:read' }]);
    expect(headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('6. a quota that is spent is 429 quota_exceeded, before the parameters', async () => {
    const org = await givenQuota(1);
    expect((await org.get('/trends?domain=x')).status).toBe(400);
    expect(await org.get('/trends?domain=x')).toMatchObject({ status: 429, body: quotaSpent });
  });

  it('7. a parameter that is refused is 400, before the resource and the slots', async () => {
    const org = await givenQuota(null);
    const busy = org.get('/heavy');
    await expect.poll(() => typeof endWork, { timeout: 30_000 }).toBe('function');
    expect((await org.get('/heavy?domain=x')).status).toBe(400);
    endWork();
    expect((await busy).status).toBe(200);
  });

  it('8. a resource that is not there is 404, and counts', async () => {
    const org = await givenQuota(2);
    expect((await org.get('/sources/192.0.2.1')).status).toBe(404);
    expect((await org.get('/domains/nobody.example/health')).status).toBe(404);
    expect((await org.get('/enums')).status).toBe(429);
  });

  it('9. too much heavy work at a time is 503 with Retry-After, and what is at hand takes no slot', async () => {
    const org = await givenQuota(10);
    endWork = undefined!;
    const busy = org.get('/heavy');
    await expect.poll(() => typeof endWork, { timeout: 30_000 }).toBe('function');
    const { status, body, headers } = await org.get('/heavy');
    expect([status, body]).toEqual([503, { error: 'Too Many Concurrent Requests' }]);
    expect([headers.get('retry-after'), headers.get('x-ratelimit-remaining')]).toEqual(['1', '8']);
    expect((await org.get('/heavy?cached=1')).status).toBe(200);
    endWork();
    expect((await busy).status).toBe(200);
    endWork = undefined!;
    const next = org.get('/heavy');
    await expect.poll(() => typeof endWork, { timeout: 30_000 }).toBe('function');
    endWork();
    expect((await next).status).toBe(200);
  });
});

describe('the headers of a metered answer', () => {
  const headersOf = ({ headers }: Got) =>
    [
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'ratelimit-policy',
      'ratelimit',
      'retry-after',
    ].map((name) => headers.get(name));
  const reset = String(TODAY.getTime() / 1000 + 3600);

  it.each([
    [200, '/enums'],
    [200, '/reports?format=csv'],
    [400, '/trends?domain=x'],
    [404, '/sources/192.0.2.1'],
  ])('have the quota headers with a %s', async (status, path) => {
    const org = await givenQuota(5);
    const got = await org.get(path);
    expect(got.status).toBe(status);
    expect(headersOf(got)).toEqual(['5', '4', reset, '"hourly";q=5;w=3600', '"hourly";r=4;t=3600', null]);
  });

  it('and with the rejection, which may be tried again when the hour is over', async () => {
    const org = await givenQuota(1);
    clock = new Date(TODAY.getTime() + 1_234_567);
    await org.get('/enums');
    expect(headersOf(await org.get('/enums'))).toEqual([
      '1',
      '0',
      reset,
      '"hourly";q=1;w=3600',
      '"hourly";r=0;t=2366',
      '2366',
    ]);
    clock = new Date(TODAY.getTime() + 3_600_000);
    expect((await org.get('/enums')).status).toBe(200);
  });

  it('are not there on a plan without a quota, nor where nothing was metered', async () => {
    const free = await givenQuota(null);
    expect(headersOf(await free.get('/enums'))).toEqual([null, null, null, null, null, null]);
    const org = await givenQuota(5);
    for (const got of [
      await org.get('/nothing'),
      await served.get('/v1/enums'),
      await served.get('/v1/openapi.json'),
    ]) {
      expect(headersOf(got)).toEqual([null, null, null, null, null, null]);
    }
    const refused = await served.raw('DELETE /v1/enums HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(refused).not.toMatch(/ratelimit/i);
  });

  it('follow a plan that changes within the hour', async () => {
    const org = await givenQuota(2);
    await org.get('/enums');
    await org.get('/enums');
    expect((await org.get('/enums')).status).toBe(429);
    await setPlan(served.database, { code: org.plan, hourlyQuota: 4 });
    served.forgetKeys();
    expect((await org.get('/enums')).headers.get('x-ratelimit-remaining')).toBe('1');
    await setPlan(served.database, { code: org.plan, hourlyQuota: 1 });
    served.forgetKeys();
    expect((await org.get('/enums')).headers.get('x-ratelimit-remaining')).toBe('0');
  });
});

it('health of domains has a budget of its own, which only answers that are computed spend', async () => {
  const org = await givenQuota(null);
  const statuses = new Set<number>();
  for (let i = 0; i < 610; i += 1) {
    // ten a second: the abuse limit is not reached, as half of the tokens come back
    clock = new Date(TODAY.getTime() + i * 100);
    statuses.add((await org.get('/domains/nobody.example/health')).status);
  }
  for (let i = 0; i < 4; i += 1) statuses.add((await org.get('/domains/nobody.example/health')).status);
  expect([...statuses]).toEqual([404, 429]);
  expect((await org.get('/enums')).status).toBe(200);
});
