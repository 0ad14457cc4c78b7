import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { byteBudget, type ByteBudget } from '../src/mailbox/byte-budget.ts';

const LIMIT = 48;

let budget: ByteBudget;
let begun: string[];
beforeEach(() => {
  budget = byteBudget(LIMIT);
  begun = [];
});

/** Work of so many bytes; calling the returned function ends it. */
async function work(name: string, bytes: number): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = budget.within(bytes, async () => {
    begun.push(name);
    await promise;
  });
  await settled();
  return async () => {
    resolve();
    await done;
    await settled();
  };
}

const settled = () => new Promise(setImmediate);

describe('what is held in memory at once', () => {
  it('begins while there are bytes free, and waits when there are none', async () => {
    const endFirst = await work('first', 30);
    await work('second', 18);
    await work('third', 1);
    expect(begun).toEqual(['first', 'second']);
    await endFirst();
    expect(begun).toEqual(['first', 'second', 'third']);
  });

  it('holds a mail alone that is larger than the budget', async () => {
    const endSmall = await work('small', 1);
    await work('huge', 100);
    expect(begun).toEqual(['small']);
    await endSmall();
    await work('another', 1);
    expect(begun).toEqual(['small', 'huge']);
  });

  it('lets small batches pass a large one that waits for a slow one', async () => {
    await work('slow', 36);
    await work('large', 20);
    for (const name of ['a', 'b', 'c']) await (await work(name, 10))();
    expect(begun).toEqual(['slow', 'a', 'b', 'c']);
  });

  it('reserves bytes for the large one from those that pass it, so that it begins as soon as the slow one ends', async () => {
    const endSlow = await work('slow', 10);
    await work('large', 40);
    await work('passes', 8);
    await work('would take its bytes', 8);
    expect(begun).toEqual(['slow', 'passes']);
    await endSlow();
    expect(begun).toEqual(['slow', 'passes', 'large']);
  });

  it('frees bytes also when work fails', async () => {
    await expect(budget.within(LIMIT, () => Promise.reject(new Error('no connection')))).rejects.toThrow(
      'no connection',
    );
    await work('next', LIMIT);
    expect(begun).toEqual(['next']);
  });

  it('never exceeds the budget, whatever comes and however long it takes, and everything has its turn', async () => {
    const works = fc.array(
      fc.record({ bytes: fc.integer({ min: 0, max: LIMIT }), turns: fc.integer({ min: 0, max: 9 }) }),
    );
    await fc.assert(
      fc.asyncProperty(works, async (wanted) => {
        const all = byteBudget(LIMIT);
        let held = 0;
        let most = 0;
        const each = wanted.map(({ bytes, turns }) =>
          all.within(bytes, async () => {
            most = Math.max(most, (held += bytes));
            for (let i = 0; i < turns; i += 1) await settled();
            held -= bytes;
          }),
        );
        await Promise.all(each);
        expect(most).toBeLessThanOrEqual(LIMIT);
      }),
    );
  });

  it('lets no stream of small ones keep a large one waiting for ever', async () => {
    const serving = new AbortController();
    const stream = async () => {
      while (!serving.signal.aborted) await budget.within(4, settled);
    };
    const streams = Array.from({ length: 20 }, stream);
    await budget.within(44, async () => serving.abort());
    await Promise.all(streams);
    expect(serving.signal.aborted).toBe(true);
  });
});
