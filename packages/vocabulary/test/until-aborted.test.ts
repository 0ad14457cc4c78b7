import { describe, expect, it } from 'vitest';
import { repeatEvery, untilAborted } from '../src/index.ts';

describe('rounds until a signal', () => {
  it('follow each other until one of them ends them', async () => {
    const rounds: number[] = [];
    await untilAborted(new AbortController().signal, async () => (rounds.push(1) < 3 ? 0 : null));
    expect(rounds).toHaveLength(3);
  });

  it('end with the signal, also in the middle of a long wait', async () => {
    const ending = new AbortController();
    let rounds = 0;
    const running = untilAborted(ending.signal, async () => {
      rounds += 1;
      setImmediate(() => ending.abort());
      return 3_600_000;
    });
    await running;
    expect(rounds).toBe(1);
  });

  it('never begin when the signal has aborted before', async () => {
    await untilAborted(AbortSignal.abort(), () => expect.unreachable('a round began'));
  });

  it('reject with what a round throws', async () => {
    const failing = untilAborted(new AbortController().signal, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
  });

  it('go on in their rhythm when one fails, and report why', async () => {
    const ending = new AbortController();
    const faults: unknown[] = [];
    let rounds = 0;
    await repeatEvery({ everyMs: 1, onError: (error) => faults.push(error) }, ending.signal, async () => {
      rounds += 1;
      if (rounds === 3) ending.abort();
      if (rounds === 1) throw new Error('the first');
    });
    expect(rounds).toBe(3);
    expect(faults).toEqual([new Error('the first')]);
  });
});
