import { expect, it } from 'vitest';
import { FairTurns } from '../src/fair-turns.ts';

it('gives the turns to organizations one after the other, and to the calls of each in their order', async () => {
  const turns = new FairTurns(1, 1_000);
  await turns.take('a');
  const order: string[] = [];
  const waiting = ['a', 'a', 'b', 'a', 'c', 'b'].map(async (orgId, i) => {
    await turns.take(orgId);
    order.push(`${orgId}${i}`);
    turns.leave();
  });
  turns.leave();
  await Promise.all(waiting);
  expect(order).toEqual(['a0', 'b2', 'c4', 'a1', 'b5', 'a3']);
});

it('refuses a caller whose turn does not come in time, and takes no turn for it', async () => {
  const turns = new FairTurns(1, 20);
  await turns.take('a');
  await expect(turns.take('a')).rejects.toThrow('timeout exceeded');
  expect(turns.waiting).toBe(0);
  turns.leave();
  await turns.take('b');
});
