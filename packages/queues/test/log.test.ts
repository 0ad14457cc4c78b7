import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { logQueueErrors } from '../src/log.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('logs the same error of a queue once in a while, with how often it came meanwhile', () => {
  const lines: object[] = [];
  const keep = (details: object) => void lines.push(details);
  const log = logQueueErrors({ info: keep, warn: keep, error: keep });
  for (let times = 0; times < 100; times += 1) log('records', new Error('connect ECONNREFUSED'));
  log('rollups', new Error('connect ECONNREFUSED'));
  log('records', new Error('timeout'));
  vi.advanceTimersByTime(6_000);
  log('records', new Error('connect ECONNREFUSED'));
  expect(lines).toEqual([
    { event: 'queue.error', queue: 'records', reason: 'connect ECONNREFUSED' },
    { event: 'queue.error', queue: 'rollups', reason: 'connect ECONNREFUSED' },
    { event: 'queue.error', queue: 'records', reason: 'timeout' },
    { event: 'queue.error', queue: 'records', reason: 'connect ECONNREFUSED', repeated: 99 },
  ]);
});
