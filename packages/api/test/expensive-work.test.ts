import type { Db, Reads } from '@dmarc-ledger/schema';
import type { Limiter } from '@dmarc-ledger/limits';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { expensiveWorkOf } from '../src/metering/expensive-work.ts';

let underWay = 0;
const limiter = {
  enter: async () => {
    underWay += 1;
    return () => void (underWay -= 1);
  },
} as unknown as Limiter;
const reads = { of: () => ({}) as Db } as unknown as Reads;
const expensively = expensiveWorkOf({ limiter, reads }, 'org', { heavy: true }, () => {});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is answered with 503 before the connection ends, and its place is taken until the work has ended', async () => {
  const work = Promise.withResolvers<string>();
  let isAnswered = false;
  const answer = expensively(() => work.promise).catch((error: unknown) => error);
  void answer.then(() => (isAnswered = true));
  await vi.advanceTimersByTimeAsync(17_000);
  expect(isAnswered).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await answer).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  expect(underWay).toBe(1);
  work.resolve('late');
  await vi.advanceTimersByTimeAsync(0);
  expect(underWay).toBe(0);
});

it('frees its slot when the work fails after the request has ended', async () => {
  const work = Promise.withResolvers<string>();
  const answer = expensively(() => work.promise).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(20_000);
  work.reject(new Error('late'));
  await vi.advanceTimersByTimeAsync(0);
  expect(await answer).toMatchObject({ status: 503 });
  expect(underWay).toBe(0);
});

it('answers what is done in time', async () => {
  expect(await expensively(async () => 'done')).toBe('done');
  expect(underWay).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
