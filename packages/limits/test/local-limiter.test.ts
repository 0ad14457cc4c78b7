import { describe, expect, it } from 'vitest';
import { localLimiter } from '../src/index.ts';
import { HOUR_SECONDS, KEY, outcomes, PLENTY, request, writtenDown } from './limiters.ts';

const START = Date.parse('2026-03-10T12:59:00Z');

function limiterAt({ abusePerMinute = PLENTY, heavyConcurrency = 4, recorded = 0 } = {}) {
  const clock = { ms: START };
  const limiter = localLimiter({
    abusePerMinute,
    heavyConcurrency,
    recorded: async (_, hour) => (hour === Math.floor(START / 1000 / HOUR_SECONDS) ? recorded : 0),
    now: () => new Date(clock.ms),
  });
  return { limiter, clock };
}

describe('the hourly quota, in process', () => {
  it('admits exactly as many as it allows, and returns what is left', async () => {
    const { limiter } = limiterAt();
    const first = await limiter.admit(request('org', 3));
    expect(first).toEqual({
      outcome: 'admitted',
      window: { limit: 3, used: 1, hour: START / 1000 / HOUR_SECONDS - 59 / 60, now: START / 1000 },
      retryAfter: 0,
    });
    expect(await outcomes(Array.from({ length: 10 }, () => limiter.admit(request('org', 3))))).toEqual({
      admitted: 2,
      quota_exceeded: 8,
    });
    expect(await writtenDown(limiter)).toEqual({ org: { requests: 3, rejected: 8, errors: 0 } });
  });

  it('begins anew with the clock hour, and says how long that is', async () => {
    const { limiter, clock } = limiterAt();
    await limiter.admit(request('org', 1));
    expect(await limiter.admit(request('org', 1))).toMatchObject({ outcome: 'quota_exceeded', retryAfter: 60 });
    clock.ms += 59_999;
    expect(await limiter.admit(request('org', 1))).toMatchObject({ outcome: 'quota_exceeded', retryAfter: 1 });
    clock.ms += 1;
    expect(await limiter.admit(request('org', 1))).toMatchObject({ outcome: 'admitted', window: { used: 1 } });
  });

  it('stays spent when an answer about the hour before comes late', async () => {
    let now = START;
    const { promise: late, resolve: answer } = Promise.withResolvers<number>();
    const startHour = Math.floor(START / 1000 / HOUR_SECONDS);
    const limiter = localLimiter({
      abusePerMinute: 600,
      heavyConcurrency: 4,
      now: () => new Date(now),
      recorded: async (_, hour) => (hour === startHour ? await late : 0),
    });
    const before = limiter.admit(request('org', 3));
    now += HOUR_SECONDS * 1_000;
    const three = Array.from({ length: 3 }, () => limiter.admit(request('org', 3)));
    expect(await outcomes(three)).toEqual({ admitted: 3 });
    answer(0);
    expect(await before).toMatchObject({ outcome: 'admitted', window: { used: 1, hour: startHour } });
    expect(await limiter.admit(request('org', 3))).toMatchObject({ outcome: 'quota_exceeded', window: { used: 3 } });
  });

  it('goes on from what is on record', async () => {
    const { limiter } = limiterAt({ recorded: 2 });
    expect(await outcomes(Array.from({ length: 5 }, () => limiter.admit(request('org', 4))))).toEqual({
      admitted: 2,
      quota_exceeded: 3,
    });
  });

  it('counts without a quota as well, each organization for itself', async () => {
    const { limiter } = limiterAt();
    await limiter.admit(request('a', null));
    expect((await limiter.admit(request('a', null))).window).toMatchObject({ limit: null, used: 2 });
    expect((await limiter.admit(request('b', null))).window.used).toBe(1);
  });

  it('is not touched by a request that its permission refuses', async () => {
    const { limiter } = limiterAt();
    await limiter.admit(request('org', 1, { metered: false }));
    expect((await limiter.admit(request('org', 1))).outcome).toBe('admitted');
    expect((await limiter.admit(request('org', 1, { metered: false }))).outcome).toBe('admitted');
  });
});

describe('the abuse limits, in process', () => {
  it('let 40 of a key come at once, then ten a second', async () => {
    const { limiter, clock } = limiterAt({ abusePerMinute: 600 });
    const burst = () => outcomes(Array.from({ length: 60 }, () => limiter.admit(request('org', null))));
    expect(await burst()).toEqual({ admitted: 40, rate_limited: 20 });
    clock.ms += 1_000;
    expect(await burst()).toEqual({ admitted: 10, rate_limited: 50 });
    expect(await limiter.admit(request('org', null))).toMatchObject({ outcome: 'rate_limited', retryAfter: 1 });
  });

  it('let the keys of an organization have twice as much together', async () => {
    const { limiter } = limiterAt({ abusePerMinute: 600 });
    const all = ['1', '2', '3'].flatMap((keyId) =>
      Array.from({ length: 40 }, () => limiter.admit(request('org', null, { keyId }))),
    );
    expect(await outcomes(all)).toEqual({ admitted: 80, rate_limited: 40 });
  });

  it('and the last use of a key are those of its organization alone, whatever id a key of another has', async () => {
    const { limiter } = limiterAt({ abusePerMinute: 600 });
    await outcomes(Array.from({ length: 60 }, () => limiter.admit(request('org', null))));
    expect((await limiter.admit(request('other', null))).outcome).toBe('admitted');
    for (const orgId of ['org', 'other']) limiter.noteUse({ orgId, keyId: KEY }, new Date(START));
    const [batch] = await limiter.batches();
    expect(batch?.uses.map(({ orgId }) => orgId)).toEqual(['org', 'other']);
  });

  it('leave the quota alone when they refuse', async () => {
    const { limiter } = limiterAt({ abusePerMinute: 600 });
    await outcomes(Array.from({ length: 60 }, () => limiter.admit(request('org', 1_000))));
    expect(await writtenDown(limiter)).toEqual({ org: { requests: 40, rejected: 20, errors: 0 } });
  });

  it('hold heavy requests to half of that, which work spends and an answer at hand does not', async () => {
    const { limiter, clock } = limiterAt({ abusePerMinute: 60 });
    const heavy = () => limiter.admit(request('org', null, { heavy: true }));
    expect(await outcomes(Array.from({ length: 35 }, heavy))).toEqual({ admitted: 35 });
    for (let i = 0; i < 30; i += 1) (await limiter.enter('org', { capped: false }))!();
    clock.ms += 1_000;
    expect(await heavy()).toMatchObject({ outcome: 'rate_limited', retryAfter: 1 });
    clock.ms += 1_000;
    expect(await heavy()).toMatchObject({ outcome: 'admitted' });
    expect(await limiter.admit(request('other', null, { heavy: true }))).toMatchObject({ outcome: 'admitted' });
  });
});

it('heavy work of an organization has as many slots as it is given, and one left twice is free once', async () => {
  const { limiter } = limiterAt({ heavyConcurrency: 2 });
  const [first, second] = [await limiter.enter('org', { capped: true }), await limiter.enter('org', { capped: true })];
  expect(await limiter.enter('org', { capped: true })).toBeUndefined();
  expect(await limiter.enter('other', { capped: true })).toBeDefined();
  expect(limiter.status().heavyInFlight).toBe(3);
  first!();
  first!();
  expect(await limiter.enter('org', { capped: true })).toBeDefined();
  expect(await limiter.enter('org', { capped: true })).toBeUndefined();
  second!();
});

it('what was counted is handed out under the same id until it is settled', async () => {
  const { limiter } = limiterAt();
  await limiter.admit(request('org', null));
  const [batch] = await limiter.batches();
  limiter.noteError({ orgId: 'org', keyId: KEY, hour: 1 });
  const [again, next, ...more] = await limiter.batches();
  expect([again, more]).toEqual([batch, []]);
  expect(next).toMatchObject({ counts: [{ orgId: 'org', keyId: KEY, hour: 1, requests: 0, rejected: 0, errors: 1 }] });
  expect(next!.id).not.toBe(batch!.id);
  await limiter.settle(batch!.id);
  expect(await limiter.batches()).toEqual([next]);
});
