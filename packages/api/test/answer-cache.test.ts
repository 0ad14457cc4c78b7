import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { AnswerCache } from '../src/answer-cache.ts';

const KEPT_MS = 1_000;

describe('an answer that is caches to make', () => {
  let cache: AnswerCache<string>;
  let made: string[];
  beforeEach(() => {
    cache = new AnswerCache(KEPT_MS);
    made = [];
  });
  const ask = (key: string, version: string, at = 0) =>
    cache.get(key, version, at, async () => {
      const answer = `${key} ${version} at ${at}`;
      made.push(answer);
      await sleep(5);
      return answer;
    });

  it('is made once for concurrent requests', async () => {
    expect(await Promise.all([ask('a', '1'), ask('a', '1'), ask('a', '1')])).toEqual(Array(3).fill('a 1 at 0'));
    expect(made).toHaveLength(1);
  });

  it('is kept for its time and no longer', async () => {
    await ask('a', '1');
    expect(await ask('a', '1', KEPT_MS - 1)).toBe('a 1 at 0');
    expect(await ask('a', '1', KEPT_MS)).toBe(`a 1 at ${KEPT_MS}`);
  });

  it('is made anew for another version, and for each key', async () => {
    await ask('a', '1');
    expect(await ask('a', '2')).toBe('a 2 at 0');
    expect(await ask('b', '2')).toBe('b 2 at 0');
    expect(made).toHaveLength(3);
  });

  it('that fails is made anew by the next', async () => {
    const failing = () => Promise.reject(new Error('not now'));
    const both = [cache.get('a', '1', 0, failing), cache.get('a', '1', 0, failing)];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await ask('a', '1')).toBe('a 1 at 0');
  });

  it('that takes long does not outlive a newer version', async () => {
    const slow = Promise.withResolvers<string>();
    const first = cache.get('a', '1', 0, () => slow.promise);
    expect(await ask('a', '2')).toBe('a 2 at 0');
    slow.resolve('old');
    expect(await first).toBe('old');
    expect(await ask('a', '2')).toBe('a 2 at 0');
    expect(made).toHaveLength(1);
  });

  it('goes when a thousand others have come since', async () => {
    await ask('a', '1');
    for (let i = 0; i < 1_000; i += 1) await cache.get(`k${i}`, '1', 0, async () => '');
    await ask('a', '1');
    expect(made).toHaveLength(2);
  });
});
