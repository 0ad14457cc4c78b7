import { expect, it } from 'vitest';
import { isForged, wavesOf } from '../src/index.ts';

const day = (domain: string, on: string, failing = 100) => ({ domainId: domain, domain, day: on, failing });

it('joins days that follow each other to a wave, and no days of different domains', () => {
  const days = [day('a', '2026-02-28'), day('a', '2026-03-01', 50), day('a', '2026-03-03'), day('b', '2026-03-04')];
  expect(wavesOf(days).map(({ domain, from, to, failing }) => [domain, from, to, failing])).toEqual([
    ['a', '2026-02-28', '2026-03-01', 150],
    ['a', '2026-03-03', '2026-03-03', 100],
    ['b', '2026-03-04', '2026-03-04', 100],
  ]);
});

it.each([
  [49, false],
  [50, true],
])('calls a wave of 100 with %i messages of suspicious addresses forged: %s', (messages, forged) => {
  expect(isForged({ failing: 100 }, messages)).toBe(forged);
});
