import { isImproved, strongest } from '@dmarc-ledger/dmarc';
import { expect, it } from 'vitest';

const EARLY = new Date('2026-01-01T00:00:00Z');
const LATE = new Date('2026-01-02T00:00:00Z');

it.each([
  [null, null, null],
  [null, false, false],
  [false, null, false],
  [false, true, true],
  [true, false, true],
  [null, true, true],
] as const)('of two mails with authentication %s and %s the copy is taken by %s', (a, b, both) => {
  expect(strongest(a, b)).toBe(both);
});

it.each([
  ['a first pass', { authenticated: null, mailReceivedAt: EARLY }, { authenticated: true, mailReceivedAt: LATE }, true],
  [
    'a pass after a failure',
    { authenticated: false, mailReceivedAt: EARLY },
    { authenticated: true, mailReceivedAt: LATE },
    true,
  ],
  [
    'a failure after a pass',
    { authenticated: true, mailReceivedAt: EARLY },
    { authenticated: false, mailReceivedAt: LATE },
    false,
  ],
  [
    'an earlier receipt',
    { authenticated: true, mailReceivedAt: LATE },
    { authenticated: null, mailReceivedAt: EARLY },
    true,
  ],
  [
    'a later receipt',
    { authenticated: true, mailReceivedAt: EARLY },
    { authenticated: true, mailReceivedAt: LATE },
    false,
  ],
  [
    'a first receipt by mail',
    { authenticated: null, mailReceivedAt: null },
    { authenticated: null, mailReceivedAt: LATE },
    true,
  ],
  [
    'an upload after a mail',
    { authenticated: true, mailReceivedAt: LATE },
    { authenticated: null, mailReceivedAt: null },
    false,
  ],
])('%s changes what is known of a copy, or not', (_, held, by, improved) => {
  expect(isImproved(held, by)).toBe(improved);
});
