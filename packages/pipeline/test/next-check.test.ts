import { expect, it } from 'vitest';
import { nextCheck, type CheckedState } from '../src/domains/next-check.ts';

const now = new Date('2026-03-10T12:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60;
const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE);

/** Minutes from now. */
function wait(change: Partial<CheckedState>): number {
  const at = nextCheck({ state: 'not_published', failures: 0, createdAt: ago(100 * DAY), now, chance: 0, ...change });
  return (at.getTime() - now.getTime()) / MINUTE;
}

it.each<[string, Partial<CheckedState>, number]>([
  ['a verified domain every six hours', { state: 'verified' }, 360],
  ['an inherited verification too', { state: 'verified_inherited' }, 360],
  ['a verified one that is new too', { state: 'verified', createdAt: ago(1) }, 360],
  ['one just added after a quarter of an hour', { createdAt: ago(0) }, 15],
  ['one added an hour ago after a quarter of an hour', { createdAt: ago(60) }, 15],
  ['one added four hours ago after an hour', { createdAt: ago(240) }, 60],
  ['one added a day ago after six hours', { createdAt: ago(DAY) }, 360],
  ['an old one that is not published daily', {}, DAY],
  ['one whose reports go elsewhere daily', { state: 'published_not_ours' }, DAY],
  ['one that answered nothing after a quarter of an hour', { state: 'verified', failures: 1 }, 15],
  ['twice in a row after half an hour', { state: 'verified', failures: 2 }, 30],
  ['thrice in a row after an hour', { state: 'unconfirmed', failures: 3 }, 60],
  ['a hundred times in a row after six hours', { state: 'unconfirmed', failures: 100 }, 360],
])('looks at %s', (_, change, minutes) => expect(wait(change)).toBe(minutes));

it('spreads what was due together over a fifth of the time', () => {
  expect(wait({ state: 'verified', chance: 1 })).toBeCloseTo(432);
  expect(wait({ state: 'verified', chance: 0.5 })).toBeCloseTo(396);
});

it('lets three failures in a row be a quarter of an hour apart at least', () => {
  for (const failures of [1, 2]) expect(wait({ state: 'verified', failures })).toBeGreaterThanOrEqual(15);
});
