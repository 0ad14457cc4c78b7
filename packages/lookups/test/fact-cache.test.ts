import { describe, expect, it } from 'vitest';
import type { DnsFact } from '../src/index.ts';
import { FactCache, secondsFor } from '../src/dns/fact-cache.ts';

const origin = { server: 'x', authoritative: true, authenticated: false, authority: [], aliases: [], dropped: 0 };
const answer = (ttl: number): DnsFact => ({ outcome: 'answer', data: ['192.0.2.1'], ttl, ...origin });
const absent = (ttl?: number): DnsFact => ({ outcome: 'nxdomain', ttl, ...origin });
const failure: DnsFact = { outcome: 'timeout', detail: '' };

describe('how long a fact is kept', () => {
  it.each<[DnsFact, number, number]>([
    [answer(0), 0, 60],
    [answer(300), 0, 300],
    [answer(86_400), 0, 3_600],
    [absent(30), 0, 30],
    [absent(86_400), 0, 900],
    [absent(), 0, 60],
    [failure, 0, 30],
    [failure, 1, 60],
    [failure, 4, 480],
    [failure, 5, 600],
    [failure, 500, 600],
  ])('%j after %i failures: %i s', (fact, failures, seconds) => expect(secondsFor(fact, failures)).toBe(seconds));

  it('doubles with each failure in a row, until an answer comes', () => {
    let nowMs = 0;
    const cache = new FactCache(10, () => nowMs);
    cache.set('x', failure);
    nowMs = 30_000;
    expect(cache.get('x')).toBeUndefined();
    cache.set('x', failure);
    nowMs += 59_000;
    expect(cache.get('x')).toBe(failure);
    cache.set('x', answer(60));
    cache.set('x', failure);
    nowMs += 30_000;
    expect(cache.get('x')).toBeUndefined();
  });

  it('forgets what was used longest ago', () => {
    const cache = new FactCache(2, () => 0);
    cache.set('a', answer(60));
    cache.set('b', answer(60));
    cache.get('a');
    cache.set('c', answer(60));
    expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true]);
    expect(cache.size).toBe(2);
  });

  it('forgets also when what is kept is too large', () => {
    const cache = new FactCache(1_000_000, () => 0);
    const long: DnsFact = { outcome: 'answer', data: [[Buffer.alloc(1024 * 1024)]], ttl: 60, ...origin };
    for (let i = 0; i < 100; i += 1) cache.set(`${i}`, long);
    expect(cache.size).toBe(63);
  });

  it('keeps nothing of a question that was not asked', () => {
    const cache = new FactCache(2, () => 0);
    cache.set('a', { outcome: 'overloaded', detail: '' });
    cache.set('b', { outcome: 'invalid_name', detail: '' });
    expect(cache.size).toBe(0);
  });
});
