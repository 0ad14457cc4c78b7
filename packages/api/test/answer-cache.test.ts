import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
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

  it('goes with its memory once its time is over, and at once where nothing is kept', async () => {
    for (let i = 0; i < 100; i += 1) await ask(`k${i}`, '1');
    expect(cache.bytes).toBeGreaterThan(1_000);
    await ask('a', '1', KEPT_MS);
    expect(cache.bytes).toBeLessThan(100);
    const passing = new AnswerCache<string>(0);
    await passing.get('a', '1', 0, async () => 'once');
    expect(passing.bytes).toBe(0);
  });

  it('is used for an older state in proportion to what it cost, where that is said', async () => {
    const patient = new AnswerCache<string>(KEPT_MS, { patience: 50 });
    let spentMs = 0;
    using clock = vi.spyOn(performance, 'now');
    clock.mockImplementation(() => spentMs);
    const costly = (version: string, at: number, cost: number) =>
      patient.get('a', version, at, async () => {
        spentMs += cost;
        return version;
      });
    await costly('1', 0, 10);
    expect(await costly('2', 499, 10)).toBe('1');
    expect(await costly('2', 500, 10)).toBe('2');
    expect(await costly('3', 1_000, 0)).toBe('3');
    expect(await costly('4', 1_000, 0)).toBe('4'); // it cost nothing
  });

  it('goes when others need its memory, however few they are', async () => {
    const small = new AnswerCache<string>(KEPT_MS, { bytes: 10_000 });
    const page = async (key: string, length: number) => {
      await small.get(key, '1', 0, async () => {
        made.push(key);
        return 'x'.repeat(length);
      });
    };
    for (let i = 0; i < 1_000; i += 1) await page(`offset ${i}`, 1_000);
    expect(small.bytes).toBeLessThanOrEqual(10_000);
    await page('offset 999', 1_000);
    expect(made).toHaveLength(1_000); // the newest is still there
    await page('offset 0', 1_000);
    expect(made).toHaveLength(1_001);
    await page('larger than all', 50_000);
    await page('larger than all', 50_000);
    expect(made).toHaveLength(1_002); // an organization with many domains has one large answer
  });
});

describe('an answer that is not final', () => {
  it('is shared by concurrent requests, and made anew by the next', async () => {
    const cache = new AnswerCache<number>(KEPT_MS, { isFinal: (answer) => answer > 1 });
    let made = 0;
    const ask = () => cache.get('a', '1', 0, () => Promise.resolve((made += 1)));
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    expect(await ask()).toBe(2);
    expect(await ask()).toBe(2);
    expect(cache.bytes).toBeGreaterThan(0);
  });
});
