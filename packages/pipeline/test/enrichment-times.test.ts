import { judgeBlocklists, type BlocklistVerdict } from '@dmarc-ledger/sources';
import { describe, expect, it } from 'vitest';
import { nextLookup, type LookupEnd, type LookupState } from '../src/sources/next-lookup.ts';

const now = new Date('2026-03-01T00:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const clean = judgeBlocklists([{ list: 'l', name: 'L', rank: 1, status: 'clean', enforced: false }], 'full');
const verdict = (severity: BlocklistVerdict['severity'], listed = 0): BlocklistVerdict => ({
  ...clean,
  severity,
  listed,
});
const state = (row: Partial<LookupState['row']> = {}, more: Partial<LookupState> = {}): LookupState => ({
  row: { is_failing: false, mentioned_at: now, list_scope: 'full', verdict: clean, ...row },
  tries: 0,
  now,
  chance: 0,
  ...more,
});
const hoursUntil = (kind: 'ptr' | 'lists' | 'abuse', end: LookupEnd, of: LookupState) =>
  (nextLookup(kind, end, of).getTime() - now.getTime()) / HOUR;

const failing = { is_failing: true };
const longAgo = { mentioned_at: new Date(now.getTime() - 15 * DAY) };

describe('what was answered is asked again', () => {
  it.each<[string, 'ptr' | 'lists' | 'abuse', LookupState, number]>([
    ['the name of a source that passes: after a week', 'ptr', state(), 168],
    ['the name of one that fails: after a day', 'ptr', state(failing), 24],
    ['the score of one that passes: after 30 days', 'abuse', state(), 720],
    ['the score of one that fails: after 3 days', 'abuse', state(failing), 72],
    ['the lists, clean and passing: after 3 days', 'lists', state(), 72],
    ['the lists, clean and failing: after a day', 'lists', state(failing), 24],
    ['the lists, listed: after 6 hours', 'lists', state({ verdict: verdict('warning', 1) }), 6],
    [
      'the lists, too few answers: after an hour',
      'lists',
      state({ verdict: { ...verdict('degraded'), errored: 3 } }),
      1,
    ],
    ['the lists, the enforced ones suspended: as clean ones', 'lists', state({ verdict: verdict('degraded') }), 72],
    [
      'all lists, after the few: after half an hour',
      'lists',
      state({ list_scope: 'ingest' }, { isWorthAll: true }),
      0.5,
    ],
    ['the few lists, where all are not worth it: after 3 days', 'lists', state({ list_scope: 'ingest' }), 72],
    ['a name no report mentions: after 30 days', 'ptr', state({ ...failing, ...longAgo }), 720],
    [
      'a listing no report mentions: after 30 days',
      'lists',
      state({ ...longAgo, verdict: verdict('critical', 1) }),
      720,
    ],
  ])('%s', (_, kind, of, hours) => {
    expect(hoursUntil(kind, { kind: 'answered' }, of)).toBe(hours);
  });
});

describe('what was not answered is asked again', () => {
  it.each([
    [1, 10],
    [2, 20],
    [3, 40],
    [8, 1_280],
    [9, 1_440],
    [30, 1_440],
  ])('after %i tries in %i minutes', (tries, minutes) => {
    expect(hoursUntil('ptr', { kind: 'failed' }, state({}, { tries }))).toBeCloseTo(minutes / 60, 9);
  });

  it('never, where there is no service to ask: in a year', () => {
    expect(hoursUntil('lists', { kind: 'never' }, state())).toBe(365 * 24);
  });
});

describe('a service that refuses is asked again when it said', () => {
  const end: LookupEnd = { kind: 'refused', until: new Date(now.getTime() + 12 * HOUR) };
  it.each<[string, LookupState, number]>([
    ['at once for the luckiest', state(), 12],
    ['for a failing source within ten minutes', state(failing, { chance: 1 }), 12 + 1 / 6],
    ['for the others one after the other', state({}, { chance: 0.5 }), 12 + 60],
  ])('%s', (_, of, hours) => {
    expect(hoursUntil('abuse', end, of)).toBeCloseTo(hours, 9);
  });
});

it('what began together does not stay together: up to a fifth later', () => {
  expect(hoursUntil('ptr', { kind: 'answered' }, state(failing, { chance: 1 }))).toBeCloseTo(28.8, 9);
});
