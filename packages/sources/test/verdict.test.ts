import { describe, expect, it } from 'vitest';
import { builtInLists, checkAgainAfter, judgeBlocklists, type ListResult, type Tier } from '../src/index.ts';

const idOf = (index: number) => `list-${index}`;
const row = (index: number, status: ListResult['status'], more: Partial<ListResult> = {}): ListResult => ({
  list: idOf(index),
  name: `List ${index}`,
  rank: index,
  status,
  enforced: false,
  ...more,
});
const rows = (count: number, status: ListResult['status'], more: Partial<ListResult> = {}) =>
  Array.from({ length: count }, (_, index) => row(50 + index, status, more));
const clean = (count: number) => rows(count, 'clean');
const errors = (count: number) => rows(count, 'error', { failure: 'timeout' });
const tier = (tier: Tier, count = 1) => rows(count, 'listed', { tier, category: 'spam' });
const zen = (status: ListResult['status']) => row(1, status, { name: 'Spamhaus ZEN', enforced: true });
const barracuda = (status: ListResult['status']) => row(4, status, { name: 'Barracuda BRBL', enforced: true });

describe('the verdict', () => {
  it.each<[string, ListResult[], string, number, string]>([
    ['nothing consulted', [], 'unchecked', 0, 'none'],
    ['12 clean', clean(12), 'clean', 0, 'none'],
    ['5 clean, 7 errors', [...clean(5), ...errors(7)], 'degraded', 0, 'monitor'],
    ['6 clean, 6 errors', [...clean(6), ...errors(6)], 'clean', 0, 'none'],
    ['ZEN and Barracuda both errored', [...clean(10), zen('error'), barracuda('error')], 'degraded', 0, 'monitor'],
    ['ZEN errored, Barracuda clean', [...clean(10), zen('error'), barracuda('clean')], 'clean', 0, 'none'],
    ['no enforced list consulted', clean(3), 'clean', 0, 'none'],
    ['all errored', errors(3), 'degraded', 0, 'monitor'],
    ['1 tier 1 + 11 clean', [...tier(1), ...clean(11)], 'advisory', 5, 'monitor'],
    ['4 tier 1 + 8 clean', [...tier(1, 4), ...clean(8)], 'advisory', 8, 'monitor'],
    ['30 tier 1', tier(1, 30), 'advisory', 24, 'monitor'],
    ['1 tier 2 + 11 clean', [...tier(2), ...clean(11)], 'warning', 25, 'soon'],
    ['2 tier 2 + 1 tier 1', [...tier(2, 2), ...tier(1)], 'warning', 32, 'soon'],
    ['8 tier 2', tier(2, 8), 'warning', 59, 'soon'],
    ['1 tier 3', tier(3), 'critical', 60, 'now'],
    ['tier 3 + tier 2 + tier 1', [...tier(3), ...tier(2), ...tier(1)], 'critical', 67, 'now'],
    ['1 tier 4', tier(4), 'critical', 90, 'now'],
    ['tier 4 + tier 3 + 2 tier 2', [...tier(4), ...tier(3), ...tier(2, 2)], 'critical', 100, 'now'],
    ['1 tier 0 + 3 clean', [...tier(0), ...clean(3)], 'advisory', 1, 'monitor'],
    ['a listing beside nothing but errors', [...tier(2), ...errors(9)], 'warning', 25, 'soon'],
  ])('%s', (_, results, severity, score, urgency) => {
    expect(judgeBlocklists(results, 'full')).toMatchObject({ severity, score, urgency });
  });

  it('counts answers apart from errors', () => {
    const verdict = judgeBlocklists([...tier(2, 2), ...clean(7), ...errors(3)], 'full');
    expect(verdict).toMatchObject({ listed: 2, clean: 7, errored: 3, checked: 9, total: 12 });
  });

  const unconfirmed = { since: '2026-03-01T10:00:00.000Z', failure: 'timeout' };
  it.each<[string, ListResult[], boolean]>([
    ['a listing that was confirmed', tier(2), false],
    ['one that was not', [row(0, 'listed', { tier: 2, unconfirmed })], true],
    ['one that was not, beside a lesser one that was', [row(0, 'listed', { tier: 3, unconfirmed }), ...tier(2)], true],
    [
      'one that was not, beside one of the same severity',
      [row(9, 'listed', { tier: 4, unconfirmed }), ...tier(3)],
      false,
    ],
    ['nothing', clean(3), false],
  ])('says whether a listing of this check gives its severity: %s', (_, results, expected) => {
    expect(judgeBlocklists(results, 'full').isUnconfirmed ?? false).toBe(expected);
  });

  it('is not clean while all enforced lists are suspended, which are not counted', () => {
    const suspended = ['spamhaus-zen', 'barracuda'].map((id) => ({
      list: builtInLists.find((list) => list.id === id)!,
      isTrusted: true,
    }));
    expect(judgeBlocklists(clean(4), 'full', suspended)).toMatchObject({
      severity: 'degraded',
      urgency: 'monitor',
      checked: 4,
      total: 4,
    });
    expect(judgeBlocklists([...clean(4), barracuda('clean')], 'full', suspended.slice(0, 1)).severity).toBe('clean');
    expect(judgeBlocklists(tier(1), 'full', suspended).severity).toBe('advisory');
    expect(judgeBlocklists([], 'full', suspended).severity).toBe('unchecked');
  });

  it('that only suspended lists keep from being clean is valid as long as a clean one', () => {
    const suspended = [{ list: builtInLists.find(({ id }) => id === 'barracuda')!, isTrusted: true }];
    expect(checkAgainAfter(judgeBlocklists(clean(4), 'full', suspended))).toBe(24 * 3_600_000);
  });

  it('before any check is all zeros', () => {
    expect(judgeBlocklists([], 'full')).toEqual({
      severity: 'unchecked',
      listed: 0,
      clean: 0,
      errored: 0,
      checked: 0,
      total: 0,
      score: 0,
      hasMalwareC2: false,
      urgency: 'none',
      summary: 'This address has not been checked against blocklists.',
      tiers: [],
      hasTorExit: false,
    });
    expect(judgeBlocklists([], 'ingest').scope).toBeUndefined();
  });

  it('says of the ingest scope, and of no other', () => {
    expect(judgeBlocklists(clean(4), 'ingest').scope).toBe('ingest');
    expect(judgeBlocklists(clean(4), 'full')).not.toHaveProperty('scope');
  });

  it('says malware of the list that says it, not of a more severe one', () => {
    const facts = judgeBlocklists(
      [
        row(1, 'listed', { name: 'Barracuda BRBL', tier: 3, category: 'spam' }),
        row(2, 'listed', { name: 'In-house list', tier: 2, category: 'malware_c2' }),
      ],
      'full',
    );
    expect(facts).toMatchObject({ topList: 'Barracuda BRBL', malwareList: 'In-house list' });
    expect(facts.summary).toContain('In-house list marks malware infrastructure.');
  });

  it('names lists by tier, then rank, then name', () => {
    const listed = (name: string, rank: number, tier: Tier, reason?: string) =>
      row(rank, 'listed', { name, tier, category: 'spam', reason });
    const verdict = judgeBlocklists(
      [
        listed('UCEPROTECT L3', 15, 1),
        listed('UCEPROTECT L2', 15, 1),
        listed('SpamCop', 5, 2),
        listed('Barracuda BRBL', 4, 3, 'Bad'),
        listed('Spamhaus ZEN', 1, 2, 'PBL'),
      ],
      'full',
    );
    expect(verdict.names).toEqual(['Barracuda BRBL', 'Spamhaus ZEN', 'SpamCop', 'UCEPROTECT L2', 'UCEPROTECT L3']);
    expect(verdict).toMatchObject({ topList: 'Barracuda BRBL', topReason: 'Bad', topTier: 3, tiers: [3, 2, 1] });
  });

  it('names the errored list of the best rank', () => {
    expect(judgeBlocklists([...errors(2), barracuda('error'), ...clean(5)], 'full').topErrored).toBe('Barracuda BRBL');
    expect(judgeBlocklists(clean(2), 'full')).not.toHaveProperty('topErrored');
    expect(judgeBlocklists(clean(2), 'full')).not.toHaveProperty('names');
  });
});

describe('the summary', () => {
  const summary = (results: ListResult[]) => judgeBlocklists(results, 'full').summary;
  const numbered = (count: number, tier: Tier, more: Partial<ListResult> = {}) =>
    Array.from({ length: count }, (_, index) => row(index, 'listed', { tier, category: 'spam', ...more }));

  it.each<[string, ListResult[]]>([
    ['Not listed on any of 12 blocklists.', clean(12)],
    ['Not listed, but only 5 of 12 blocklists answered.', [...clean(5), ...errors(7)]],
    ['Listed on List 0. These lists do not affect mail delivery.', numbered(1, 1)],
    ['Listed on List 0, List 1, List 2. Some receivers may reject or filter this mail.', numbered(3, 2)],
    ['Listed on List 0, List 1, List 2 and 5 more. Some receivers may reject or filter this mail.', numbered(8, 2)],
    ['Listed on List 0, which many receivers enforce.', numbered(1, 3)],
    ['Listed on List 0, which many receivers enforce. 1 other list agrees.', numbered(2, 3)],
    [
      'Listed on List 0, which many receivers enforce. It marks malware infrastructure. 2 other lists agree.',
      numbered(3, 4, { category: 'malware_c2' }),
    ],
  ])('%s', (expected, results) => expect(summary(results)).toBe(expected));
});

describe('the built-in lists', () => {
  it('stand by rank, each once', () => {
    const ranks = builtInLists.map(({ rank }) => rank);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(new Set(builtInLists.map(({ id }) => id)).size).toBe(builtInLists.length);
    expect(builtInLists.filter(({ ingest }) => ingest).map(({ id }) => id)).toEqual([
      'spamhaus-zen',
      'cymru-fullbogons',
      'barracuda',
      'spamcop',
      'psbl',
      'uceprotect-1',
    ]);
  });
});

describe('a verdict stands', () => {
  it.each([
    ['clean', clean(12), 24],
    ['listed', [...tier(1), ...clean(3)], 6],
    ['degraded', errors(3), 1],
    ['unchecked', [], 1],
  ] as const)('%s', (_, results, hours) => {
    expect(checkAgainAfter(judgeBlocklists(results, 'full'))).toBe(hours * 3_600_000);
  });
});
