import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FairGate } from '../src/dns/fair-gate.ts';
import { ownerOf } from '../src/dns/owner-of.ts';
import { SlowOwners } from '../src/dns/slow-owners.ts';

/** Work that begins in its turn, and ends when the test says so. */
function workshop(limits: { inFlight: number; waiting: number }, slow: ReadonlySet<string> = new Set()) {
  const gate = new FairGate(limits, (key) => slow.has(key));
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

describe('slow owners', () => {
  const names = (letter: string) => Array.from({ length: 20 }, (_, i) => `${letter}${i}`);
  const [slow, fast] = [names('s'), names('f')];
  const open = () => workshop({ inFlight: 8, waiting: 100 }, new Set(slow));
  const letters = (begun: readonly string[]) => begun.map(([letter]) => letter).join('');

  it('have half of the turns together, also while the others are free', async () => {
    const { give, begun, end } = open();
    for (const name of slow) void give(name, name);
    expect(begun).toEqual(slow.slice(0, 4));
    for (const name of fast.slice(0, 4)) void give(name, name);
    expect(letters(begun)).toBe('ssssffff');
    await end(1);
    expect(letters(begun)).toBe('ssssffffs');
    for (let i = 0; i < 5; i += 1) await end(8);
    expect(begun.filter((name) => name.startsWith('s'))).toEqual(slow);
  });

  it('wait for others, except for an eighth of the turns', async () => {
    const { give, begun, end } = open();
    for (const name of [...fast.slice(0, 8), ...slow.slice(0, 4), ...fast.slice(8)]) void give(name, name);
    for (let i = 0; i < 5; i += 1) await end(1);
    expect(letters(begun.slice(8))).toBe('sffff');
  });

  it('are slow from the question on that was not answered, for what waits by then as well', async () => {
    const known = new Set<string>();
    const { give, begun, end } = workshop({ inFlight: 2, waiting: 100 }, known);
    for (let i = 0; i < 2; i += 1) for (const owner of ['stranger', 'other']) void give(owner, `${owner} ${i}`);
    known.add('stranger').add('other');
    void give('honest', 'honest 0');
    void give('honest', 'honest 1');
    await end(2);
    expect(begun.slice(2)).toEqual(['honest 0', 'honest 1']);
  });

  it('are those whose last questions took long on average', () => {
    const owners = new SlowOwners(3_000);
    owners.note('dead.test', 3_000);
    expect([owners.isSlow('dead.test'), owners.isSlow('other.test')]).toEqual([true, false]);
    for (let i = 0; i < 20; i += 1) owners.note('half.test', i % 2 === 0 ? 5 : 3_000);
    expect(owners.isSlow('half.test')).toBe(true);
    for (let i = 0; i < 2; i += 1) owners.note('dead.test', 5);
    expect(owners.isSlow('dead.test')).toBe(false);
    for (let i = 0; i < 10_000; i += 1) owners.note(`${i}.test`, 3_000);
    expect(owners.isSlow('half.test')).toBe(false); // forgotten
  });
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
