import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FairGate } from '../src/dns/fair-gate.ts';
import { ownerOf } from '../src/dns/owner-of.ts';

/** Work that begins in its turn, and ends when the test says so. */
function workshop(limits: { inFlight: number; waiting: number }) {
  const gate = new FairGate(limits);
  const begun: string[] = [];
  const running: { text: string; end: () => void }[] = [];
  return {
    gate,
    begun,
    give: (owner: string, text: string) =>
      gate.run(owner, async () => {
        begun.push(text);
        await new Promise<void>((end) => void running.push({ text, end }));
        return text;
      }),
    end: async (count = 1) => {
      for (const { end } of running.splice(0, count)) end();
      await turn();
    },
  };
}

it('an owner without work in flight comes before all that waits', async () => {
  const { give, begun, end } = workshop({ inFlight: 2, waiting: 10 });
  for (let i = 0; i < 6; i += 1) void give('stranger', `stranger ${i}`);
  void give('honest', 'honest 0');
  await end();
  expect(begun).toEqual(['stranger 0', 'stranger 1', 'honest 0']);
});

it('owners with work in flight take turns', async () => {
  const { give, begun, end } = workshop({ inFlight: 3, waiting: 20 });
  for (const owner of ['a', 'b', 'c']) void give(owner, `${owner}0`);
  for (const owner of ['a', 'b', 'c']) for (let i = 1; i < 4; i += 1) void give(owner, `${owner}${i}`);
  for (let i = 0; i < 9; i += 1) await end();
  expect(begun.map(([owner]) => owner).join('')).toBe('abcabcabcabc');
  expect(begun.filter((text) => text.startsWith('a'))).toEqual(['a0', 'a1', 'a2', 'a3']);
});

it('work beyond those that may wait is turned away', async () => {
  const { give, end } = workshop({ inFlight: 1, waiting: 1 });
  const all = ['first', 'second', 'third'].map((text) => give('one', text));
  await end();
  await end();
  expect(await Promise.all(all)).toEqual(['first', 'second', undefined]);
});

it('work that fails gives its turn back', async () => {
  const gate = new FairGate({ inFlight: 1, waiting: 1 });
  await expect(gate.run('one', () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
  expect(await gate.run('one', () => Promise.resolve('done'))).toBe('done');
});

it('an owner whose work is done takes no memory', async () => {
  const { gate, give, end } = workshop({ inFlight: 2, waiting: 100 });
  const all = Array.from({ length: 50 }, (_, i) => give(`owner ${i % 25}`, `${i}`));
  expect(gate.owners).toBe(25);
  for (let i = 0; i < 25; i += 1) await end(2);
  await Promise.all(all);
  expect(gate.owners).toBe(0);
});

it.each([
  ['a.delegated.stranger.test', 'stranger.test'],
  ['7.113.0.203.in-addr.arpa', '113.0.203.in-addr.arpa'],
  ['1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.f.e.e.b.8.b.d.0.1.0.0.2.ip6.arpa', 'f.e.e.b.8.b.d.0.1.0.0.2.ip6.arpa'],
])('%s is a name of %s', (name, owner) => {
  const lastTwo = (text: string) => text.split('.').slice(-2).join('.');
  expect(ownerOf(name, lastTwo)).toBe(owner);
});
