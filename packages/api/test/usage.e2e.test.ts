import { addUsage, createKey, findQuotaUse, listKeys, revokeKey, setOrganization, setPlan } from '@dmarc-ledger/ledger';
import { idText, newId } from '@dmarc-ledger/vocabulary';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeApi, openApiDocument, routes } from '../src/index.ts';
import { givenOrganization, serveApi, TODAY, type Served } from './served.ts';

const HOUR = TODAY.getTime() / 3_600_000; // 2026-03-10T12
const PATH = '/api-keys/usage';

let served: Served;
let clock: Date;
let org: Awaited<ReturnType<typeof givenOrganization>>;
let made = 0;

const document = JSON.parse(JSON.stringify(openApiDocument(routes))) as object;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'openapi', ...document });
const isAnswer = ajv.compile({ $ref: 'openapi#/components/schemas/UsageAnswer' });

beforeAll(async () => {
  served = await serveApi({ now: () => clock });
  await setPlan(served.database, { code: 'ten', hourlyQuota: 10 });
});
afterAll(() => served[Symbol.asyncDispose]());
beforeEach(async () => {
  clock = TODAY;
  made += 1;
  org = await givenOrganization(served, `Usage ${made}`, { scope: 'read', name: 'First' });
});

/** Stores the usage of a key in past hours. */
async function givenUsage(keyId: string, hoursAgo: number, requests: number, rejected = 0, errors = 0) {
  await addUsage(served.db, newId(), [{ orgId: org.id, keyId, hour: HOUR - hoursAgo, requests, rejected, errors }]);
}

describe('the usage of keys', () => {
  it('has every field, with the request itself counted', async () => {
    await setOrganization(served.database, org.id, { plan: 'ten' });
    const second = await createKey(served.db, org.id, { scope: 'full', name: 'Second' });
    await givenUsage(org.keyId, 30, 4, 2, 1);
    await givenUsage(second.id, 47, 2);
    await givenUsage(second.id, 48, 99); // before the window
    await org.get('/enums');
    const { status, body } = await org.get(`${PATH}?days=2`);
    expect(status).toBe(200);
    isAnswer(body);
    expect(isAnswer.errors).toBeNull();
    const { history, keys, ...rest } = body;
    expect(rest).toEqual({
      days: 2,
      plan: 'ten',
      window: {
        limit: 10,
        used: 2,
        remaining: 8,
        percent_used: 20,
        starts_at: '2026-03-10T12:00:00Z',
        resets_at: '2026-03-10T13:00:00Z',
        reset: TODAY.getTime() / 1000 + 3600,
      },
      status: 'ok',
      message: '2 of 10 requests used this hour.',
      granularity: 'hour',
      total_requests: 8,
      total_rejected: 2,
    });
    expect(history).toHaveLength(48);
    expect(history[0]).toEqual({
      start: '2026-03-08T13:00:00Z',
      date: '2026-03-08',
      requests: 2,
      rejected: 0,
      errors: 0,
    });
    expect(history[17]).toEqual({
      start: '2026-03-09T06:00:00Z',
      date: '2026-03-09',
      requests: 4,
      rejected: 2,
      errors: 1,
    });
    expect(history[18]).toEqual({
      start: '2026-03-09T07:00:00Z',
      date: '2026-03-09',
      requests: 0,
      rejected: 0,
      errors: 0,
    });
    expect(history[47]).toEqual({
      start: '2026-03-10T12:00:00Z',
      date: '2026-03-10',
      requests: 2,
      rejected: 0,
      errors: 0,
    });
    const prefix = (key: string) => key.slice(4, 12);
    expect(keys).toEqual([
      {
        id: idText(org.keyId),
        name: 'First',
        prefix: prefix(org.key),
        scope: 'read',
        requests: 6,
        share: 75,
        last_used_at: '2026-03-10T12:00:00Z',
        revoked: false,
      },
      {
        id: idText(second.id),
        name: 'Second',
        prefix: prefix(second.key),
        scope: 'full',
        requests: 2,
        share: 25,
        last_used_at: null,
        revoked: false,
      },
    ]);
  });

  it('is returned by the day for more than two days, today last', async () => {
    await givenUsage(org.keyId, 12, 5); // midnight of today
    await givenUsage(org.keyId, 13, 7, 1);
    await givenUsage(org.keyId, 24 * 2 + 12, 3);
    await givenUsage(org.keyId, 24 * 2 + 13, 90); // the day before the window
    const { body } = await org.get(`${PATH}?days=3`);
    expect(body).toMatchObject({ granularity: 'day', total_requests: 16, total_rejected: 1 });
    expect(body.history).toEqual([
      { start: '2026-03-08T00:00:00Z', date: '2026-03-08', requests: 3, rejected: 0, errors: 0 },
      { start: '2026-03-09T00:00:00Z', date: '2026-03-09', requests: 7, rejected: 1, errors: 0 },
      { start: '2026-03-10T00:00:00Z', date: '2026-03-10', requests: 6, rejected: 0, errors: 0 },
    ]);
  });

  it('has no quota on a plan without one', async () => {
    const { body } = await org.get(PATH);
    expect(body).toMatchObject({
      days: 30,
      plan: 'standard',
      window: { limit: null, used: 1, remaining: null, percent_used: null },
      status: 'unlimited',
      message: 'This plan has no hourly quota.',
      granularity: 'day',
    });
    expect(body.history).toHaveLength(30);
  });

  it.each([
    [7, 'ok', 70],
    [8, 'near_limit', 80],
    [9, 'near_limit', 90],
    [10, 'exceeded', 100],
  ])('with request %s of ten is %s', async (used, status, percent) => {
    await setOrganization(served.database, org.id, { plan: 'ten' });
    for (let i = 1; i < used; i += 1) await org.get('/enums');
    const { body, headers } = await org.get(PATH);
    expect(body).toMatchObject({ status, window: { used, remaining: 10 - used, percent_used: percent } });
    expect(headers.get('x-ratelimit-remaining')).toBe(String(10 - used));
    expect(headers.get('x-ratelimit-reset')).toBe(String(body.window.reset));
  });

  it('counts what passed the quota, and apart from it what was rejected and what failed', async () => {
    await setOrganization(served.database, org.id, { plan: 'ten' });
    const ingest = await createKey(served.db, org.id, { scope: 'ingest' });
    await org.get('/trends?domain=x'); // 400
    await org.get('/sources/192.0.2.1'); // 404
    await served.get('/v1/enums', { authorization: `Bearer ${ingest.key}` }); // 403
    await served.get('/v1/enums', { authorization: 'Bearer nonsense' }); // 401
    await org.get('/nothing'); // 404, an unknown path
    await sql`alter table org_total rename to hidden`.execute(served.db);
    expect((await org.get('/statistics')).status).toBe(500);
    await sql`alter table hidden rename to org_total`.execute(served.db);
    for (let i = 3; i < 10; i += 1) await org.get('/enums');
    for (let i = 0; i < 3; i += 1) expect((await org.get('/enums')).status).toBe(429);
    await setPlan(served.database, { code: 'twenty', hourlyQuota: 20 });
    await setOrganization(served.database, org.id, { plan: 'twenty' });
    served.forgetKeys();
    const { body } = await org.get(`${PATH}?days=1`);
    expect(body.window.used).toBe(11);
    expect(body.history.at(-1)).toMatchObject({ requests: 11, rejected: 3, errors: 1 });
    expect(body.keys.map(({ id }: { id: string }) => id)).toEqual([idText(org.keyId)]); // without keys that only upload
  });

  it('keeps a revoked key while it has requests in the window', async () => {
    const used = await createKey(served.db, org.id, { scope: 'read', name: 'Used' });
    const unused = await createKey(served.db, org.id, { scope: 'read', name: 'Unused' });
    await givenUsage(used.id, 30, 3);
    await revokeKey(served.db, org.id, used.id);
    await revokeKey(served.db, org.id, unused.id);
    const names = async (days: number) =>
      (await org.get(`${PATH}?days=${days}`)).body.keys.map((key: { name: string; revoked: boolean }) => [
        key.name,
        key.revoked,
      ]);
    expect(await names(2)).toEqual([
      ['Used', true],
      ['First', false],
    ]);
    expect(await names(1)).toEqual([['First', false]]);
  });

  it('shows nothing of another organization', async () => {
    const other = await givenOrganization(served, `Other ${made}`);
    await other.get('/enums');
    const { body } = await org.get(PATH);
    expect([body.total_requests, body.keys.length]).toEqual([1, 1]);
  });

  it.each([
    ['', 30],
    ['?days=', 30],
    ['?days=1', 1],
    ['?days=90', 90],
    ['?days=0007', 7],
  ])('of %j covers %s days', async (query, days) => {
    expect((await org.get(PATH + query)).body.days).toBe(days);
  });

  it.each(['0', '91', '-1', '1.5', '1e1', '+5', 'x', '0x10', '99999999999999999999'])(
    'of days=%s is 400',
    async (days) => {
      const { status, body } = await org.get(`${PATH}?days=${encodeURIComponent(days)}`);
      expect([status, body]).toEqual([
        400,
        { error: 'Invalid Days', detail: 'days must be a whole number from 1 to 90.' },
      ]);
    },
  );

  it('takes a new hour when the clock does', async () => {
    await org.get('/enums');
    clock = new Date(TODAY.getTime() + 3_600_000);
    const { body } = await org.get(`${PATH}?days=1`);
    expect(body.window).toMatchObject({ used: 1, starts_at: '2026-03-10T13:00:00Z' });
    expect(body.history.slice(-2).map(({ requests }: { requests: number }) => requests)).toEqual([1, 1]);
  });

  it('is 503 when the plan cannot be resolved', async () => {
    await sql`alter table organization drop constraint organization_plan_fkey`.execute(served.db);
    await org.get('/enums'); // the key is cached
    await sql`update organization set plan = 'gone' where id = ${org.id}`.execute(served.db);
    const { status, body, headers } = await org.get(PATH);
    expect([status, body, headers.get('retry-after')]).toEqual([503, { error: 'Service Unavailable' }, '5']);
    await sql`update organization set plan = 'standard' where id = ${org.id}`.execute(served.db);
    const { body: after } = await org.get(`${PATH}?days=1`);
    expect(after.history.at(-1)).toMatchObject({ requests: 3, errors: 1 });
  });
});

describe('what is on record', () => {
  it('is added once, however often the batch is written, also by several at a time', async () => {
    const batch = newId();
    const count = { orgId: org.id, keyId: org.keyId, hour: HOUR, requests: 5, rejected: 1, errors: 0 };
    const gone = { ...count, orgId: newId(), keyId: newId() }; // an organization that was deleted meanwhile
    await Promise.all(Array.from({ length: 5 }, () => addUsage(served.db, batch, [gone, count])));
    await addUsage(served.db, batch, [count]);
    const { rows } = await sql`select requests, rejected from usage_hour where org_id = ${org.id}`.execute(served.db);
    expect(rows).toEqual([{ requests: 5, rejected: 1 }]);
  });

  it('is written when the API ends, with the instant of each key’s last use', async () => {
    const other = await serveApi({ now: () => clock });
    const { id, get } = await givenOrganization(other, 'Ending');
    clock = new Date(TODAY.getTime() + 61_000);
    await get('/enums');
    await other.close();
    const { rows } = await sql`select hour, requests from usage_hour`.execute(other.db);
    expect(rows).toEqual([{ hour: TODAY, requests: 1 }]);
    expect(await listKeys(other.db, id)).toMatchObject([{ last_used_at: clock }]);
    await other[Symbol.asyncDispose]();
  });

  it('is where the quota goes on from after a restart', async () => {
    const first = await serveApi({ now: () => clock });
    await setPlan(first.database, { code: 'ten', hourlyQuota: 10 });
    const { id, key, get } = await givenOrganization(first, 'Restarted');
    await setOrganization(first.database, id, { plan: 'ten' });
    first.forgetKeys();
    for (let i = 0; i < 4; i += 1) await get('/enums');
    await first.close();
    const api = makeApi({ db: first.db, reads: first.reads, now: () => clock });
    const url = await api.listen({ host: '127.0.0.1', port: 0 });
    const { headers } = await fetch(`${url}/v1/enums`, { headers: { authorization: `Bearer ${key}` } });
    expect(headers.get('x-ratelimit-remaining')).toBe('5');
    await api.close();
    await first[Symbol.asyncDispose]();
  });

  it('returns the used part for every organization with a quota', async () => {
    await setOrganization(served.database, org.id, { plan: 'ten' });
    await org.get('/enums');
    await org.get(PATH);
    expect(await findQuotaUse(served.db, new Date(TODAY.getTime() + 3_599_000))).toContainEqual({
      orgId: org.id,
      used: 2,
      limit: 10,
    });
    expect(await findQuotaUse(served.db, new Date(TODAY.getTime() + 86_400_000))).toEqual([]);
  });
});
