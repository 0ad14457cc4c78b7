import { describe, expect, it } from 'vitest';
import {
  builtInLists,
  judgeBlocklists,
  reasonOf,
  withStandingListings,
  type KnownResult,
  type ListResult,
} from '../src/index.ts';

const now = new Date('2026-03-10T10:00:00Z');
const earlier = new Date('2026-03-10T04:00:00Z');
const DAY = 86_400_000;
const zen = builtInLists.find(({ id }) => id === 'spamhaus-zen')!;

const of = (list: string, status: ListResult['status'], more: Partial<ListResult> = {}): ListResult => ({
  list,
  name: list,
  rank: 1,
  status,
  enforced: false,
  ...more,
});
const listing = of('cop', 'listed', { tier: 2, reason: 'spam' });
const known: KnownResult[] = [
  { result: listing, checkedAt: earlier },
  { result: of('pot', 'clean'), checkedAt: earlier },
];
const timeout = of('cop', 'error', { failure: 'timeout' });
const unconfirmed = { since: now.toISOString(), failure: 'timeout' };
const current = (results: ListResult[], before = known) =>
  withStandingListings(before, { results, suspended: [] }, now);

describe('a listing', () => {
  it('stands when its list fails, with the time of its answer and that of the failure', () => {
    expect(current([timeout])).toEqual([{ result: { ...listing, unconfirmed }, checkedAt: earlier }]);
  });

  it('keeps the time since when it is not confirmed', () => {
    const since = new Date(now.getTime() - 7 * DAY).toISOString();
    const before = [{ result: { ...listing, unconfirmed: { since, failure: 'refused' } }, checkedAt: earlier }];
    const [{ result } = {}] = current([timeout], before);
    expect(result?.unconfirmed).toEqual({ since, failure: 'timeout' });
  });

  it('ends when its list was silent for more than a week', () => {
    const since = new Date(now.getTime() - 7 * DAY - 1).toISOString();
    const before = [{ result: { ...listing, unconfirmed: { since, failure: 'refused' } }, checkedAt: earlier }];
    expect(current([timeout], before)).toEqual([{ result: timeout, checkedAt: now }]);
  });

  it.each<[string, ListResult[], ListResult[]]>([
    ['ends by an answer', [of('cop', 'clean')], [of('cop', 'clean')]],
    ['is a fresh one by an answer', [listing], [listing]],
    ['ends when its list is not used', [of('pot', 'clean')], [of('pot', 'clean')]],
  ])('%s', (_, results, expected) => {
    expect(current(results)).toEqual(expected.map((result) => ({ result, checkedAt: now })));
  });

  it.each([
    ['stands while its list is suspended', true, 1],
    ['ends when its list is suspended for listing what no list may', false, 0],
  ])('%s', (_, isTrusted, count) => {
    const before = [{ result: of(zen.id, 'listed', { tier: 3 }), checkedAt: earlier }];
    const found = withStandingListings(before, { results: [], suspended: [{ list: zen, isTrusted }] }, now);
    expect(found).toHaveLength(count);
  });
});

describe('a listing that stands', () => {
  it('is named as not confirmed in the summary', () => {
    const results = [{ ...listing, unconfirmed }, of('zen', 'listed', { tier: 3 }), of('pot', 'clean')];
    expect(judgeBlocklists(results, 'full').summary).toBe(
      'Listed on zen, which many receivers enforce. 1 other list agrees. Not confirmed by the last check: cop.',
    );
    expect(judgeBlocklists(results.slice(0, 1), 'full').summary).toBe(
      'Listed on cop. Some receivers may reject or filter this mail. Not confirmed by the last check: cop.',
    );
  });

  it.each([
    ['spam', 'spam (not confirmed since 2026-03-10: timeout)'],
    [
      'Blocked - see https://cop.test/?1',
      'Blocked - see https://cop.test/?1 (not confirmed since 2026-03-10: timeout)',
    ],
    [undefined, 'not confirmed since 2026-03-10: timeout'],
  ])('has in its reason since when: %s', (reason, expected) => {
    expect(reasonOf({ ...of('cop', 'listed'), ...(reason && { reason }), unconfirmed })).toBe(expected);
  });

  it('has nothing of that in its reason once it is confirmed', () => {
    expect(reasonOf(listing)).toBe('spam');
    expect(reasonOf(timeout)).toBe('timeout');
  });
});
