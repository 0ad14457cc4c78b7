import type { Blocklist } from './blocklist.ts';
import type { ListResult } from './interpret-answer.ts';

/** A list in use that is not queried for now. */
export interface SuspendedList {
  list: Blocklist;
  /** False if it was found to list what no list may: then its listings mean nothing. */
  isTrusted: boolean;
}

/** What the lists in use say of an address: one result for each that was queried. */
export interface ListAnswers {
  results: readonly ListResult[];
  suspended: readonly SuspendedList[];
}

/** The result of a list as it is kept, and when the list gave it. */
export interface KnownResult {
  result: ListResult;
  checkedAt: Date;
}

const DAY_MS = 86_400_000;
/**
 * How long a listing stands while its list is silent: lists that end listings by themselves do so within seven days
 * without a new cause (UCEPROTECT; SpamCop after one).
 */
const STANDS_MS = 7 * DAY_MS;

/**
 * Returns the result of each list: a listing stands, with its age, until its list answers, is no longer used, lists
 * what no list may, or has been silent for a week. (rules, reputation/listings-that-stand)
 */
export function withStandingListings(
  known: readonly KnownResult[],
  { results, suspended }: ListAnswers,
  now: Date,
): KnownResult[] {
  const trusted = suspended.filter(({ isTrusted }) => isTrusted);
  const failures = new Map([
    ...trusted.map(({ list }): [string, string] => [list.id, 'the list is suspended']),
    ...results.flatMap(({ list, status, failure = 'no answer' }): [string, string][] =>
      status === 'error' ? [[list, failure]] : [],
    ),
  ]);
  const standing = known.flatMap(({ result, checkedAt }): KnownResult[] => {
    const failure = failures.get(result.list);
    if (result.status !== 'listed' || failure === undefined) return [];
    const since = result.unconfirmed?.since ?? now.toISOString();
    if (now.getTime() - Date.parse(since) > STANDS_MS) return [];
    return [{ result: { ...result, unconfirmed: { since, failure } }, checkedAt }];
  });
  const isStanding = new Set(standing.map(({ result }) => result.list));
  const current = results.filter(({ list }) => !isStanding.has(list));
  return [...current.map((result) => ({ result, checkedAt: now })), ...standing];
}
