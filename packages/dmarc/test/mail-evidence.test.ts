import { isImproved, isWeaker, strongest } from '@dmarc-ledger/dmarc';
import { expect, it } from 'vitest';

const EARLY = new Date('2026-01-01T00:00:00Z');
const LATE = new Date('2026-01-02T00:00:00Z');

it.each([
  [null, null, null],
  [null, false, null],
  [false, null, null],
  [false, false, false],
  [false, true, true],
  [true, false, true],
  [null, true, true],
] as const)('of two mails with authentication %s and %s the copy is taken by %s', (a, b, both) => {
  expect(strongest(a, b)).toBe(both);
});

it.each([
  [false, null],
  [false, true],
  [null, true],
] as const)('a mail with authentication %s proves less than one with %s', (a, b) => {
  expect([isWeaker(a, b), isWeaker(b, a), isWeaker(a, a), isWeaker(b, b)]).toEqual([true, false, false, false]);
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
    'a failure after a mail that was not checked',
    { authenticated: null, mailReceivedAt: EARLY },
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
  const sent = { isUnproven: false };
  expect(isImproved({ ...held, ...sent }, { ...by, ...sent })).toBe(improved);
});

it.each([
  ['a failed mail after an import', true, { authenticated: false, mailReceivedAt: null, isUnproven: false }, true],
  ['an upload after an import', true, { authenticated: null, mailReceivedAt: null, isUnproven: false }, true],
  ['an import after an import', true, { authenticated: null, mailReceivedAt: null, isUnproven: true }, false],
  ['an import after a failed mail', false, { authenticated: null, mailReceivedAt: null, isUnproven: true }, false],
])('%s makes a copy proven, or not', (_, isUnproven, by, improved) => {
  expect(isImproved({ authenticated: isUnproven ? null : false, mailReceivedAt: null, isUnproven }, by)).toBe(improved);
});
