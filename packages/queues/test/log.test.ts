import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { logQueueErrors } from '../src/log.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('tells the same error of a queue once in a while, and how often it came meanwhile', () => {
  const told: object[] = [];
  const keep = (details: object) => void told.push(details);
  const tell = logQueueErrors({ warn: keep, error: keep });
  for (let times = 0; times < 100; times += 1) tell('records', new Error('connect ECONNREFUSED'));
  tell('rollups', new Error('connect ECONNREFUSED'));
  tell('records', new Error('timeout'));
  vi.advanceTimersByTime(6_000);
  tell('records', new Error('connect ECONNREFUSED'));
  expect(told).toEqual([
    { event: 'queue.error', queue: 'records', reason: 'connect ECONNREFUSED' },
    { event: 'queue.error', queue: 'rollups', reason: 'connect ECONNREFUSED' },
    { event: 'queue.error', queue: 'records', reason: 'timeout' },
    { event: 'queue.error', queue: 'records', reason: 'connect ECONNREFUSED', repeated: 99 },
  ]);
});
